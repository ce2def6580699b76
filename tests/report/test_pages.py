from pathlib import Path

from msgspec.structs import replace

from asked_runs import write_asked_run
from kernelbenchx.analysis import comparison
from kernelbenchx.report.labels import label_attempts
from kernelbenchx.report.pages import cost_page, pages
from kernelbenchx.report.site_layout import place
from kernelbenchx.store.attempts import read_attempts
from report_samples import attempt


def test_pages_hold_tables_of_the_analysis(run: Path) -> None:
    attempts = label_attempts(read_attempts([run]))
    found = pages([run], attempts, place(attempts))
    assert {"rates", "roofline", "failures"} <= found.keys()
    assert "by_category" in {table.name for table in found["rates"]}
    written = {"structure", "structure_counts", "quality_by_method", "quality_by_outcome"}
    assert written <= {table.name for table in found["failures"] if table.rows}
    moved = {"variance_sensitivity", "categories_relabelled", "categories_relabelled_ahead"}
    assert moved <= {table.name for table in found["variance"] if table.rows}


def test_a_page_with_nothing_to_say_is_left_out() -> None:
    attempts = [attempt(performance="", eager=None, gpu="", device="interpreter")]
    assert "roofline" not in pages([], attempts, place(attempts))


def test_speed_has_a_page_where_there_are_times(run: Path) -> None:
    attempts = label_attempts(read_attempts([run]))
    assert "speed" in pages([run], attempts, place(attempts))
    untimed = [replace(one, performance="unmeasured", eager=None) for one in attempts]
    assert any(one.rows for one in comparison.tables(untimed)), "two methods are compared"
    assert "speed" not in pages([run], untimed, place(untimed))


def test_one_round_on_one_card_is_compared_with_nothing(run: Path) -> None:
    several = label_attempts(read_attempts([run]))
    assert {"rounds", "variance"} <= pages([run], several, place(several)).keys()
    alone = [one for one in several if one.correct and one.round == 0]
    found = pages([run], alone, place(alone)).keys()
    assert not {"rounds", "hardware", "variance"} & found
    assert "speed" in found


def test_cost_has_a_page_where_a_model_was_asked(run: Path, tmp_path: Path) -> None:
    asked = write_asked_run(tmp_path / "asked")
    found = cost_page([asked], read_attempts([asked]))
    assert [one.name for one in found["cost"] if one.rows][:2] == ["cost", "cost_to_solve"]
    assert cost_page([run], read_attempts([run])) == {}


def test_levels_have_a_page_where_there_are_kernelbench_problems(run: Path) -> None:
    attempts = label_attempts(read_attempts([run]))
    assert "levels" not in pages([run], attempts, place(attempts))
    problems = [replace(one, level=1 + len(one.task) % 3) for one in attempts]
    found = pages([run], problems, place(problems))["levels"]
    assert {"levels", "fast_p_by_level"} <= {table.name for table in found if table.rows}


def test_scopes_have_a_page_where_they_were_judged(run: Path) -> None:
    attempts = label_attempts(read_attempts([run]))
    found = pages([run], attempts, place(attempts))
    assert "scopes_by_method" in {table.name for table in found["scopes"] if table.rows}
    old = [replace(one, scopes=(), core=None) for one in attempts]
    assert "scopes" not in pages([run], old, place(old))


def test_runs_of_published_tasks_have_a_page_beside_the_papers(run: Path) -> None:
    attempts = label_attempts(read_attempts([run]))
    found = pages([run], attempts, place(attempts))
    assert {"paper_table_1", "paper_speedups"} <= {
        table.name for table in found["papers"] if table.rows
    }
    own = [replace(one, task=f"{one.task}_of_mine") for one in attempts]
    assert "papers" not in pages([run], own, place(own))
