"""The pages on the catalogue are those that its files give, and no torch is needed for them."""

import subprocess
import sys
from pathlib import Path

import pytest

from kernelbenchx import catalog, load_run, task, tasks
from kernelbenchx.analysis.published_data import TASKS
from kernelbenchx.catalog.published_tests import is_in_published_list
from kernelbenchx.certify.mutation.running import load_summary
from script_files import script

ROOT = Path(__file__).resolve().parents[1]
PAGES = script("write_catalogue")
CATALOGUE = PAGES.CATALOGUE.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", PAGES.PAGES, ids=lambda path: path.name)
def test_generated_parts_are_written(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    emptied = PAGES.COUNT.sub(r"\1\4", PAGES.PART.sub(r"\1\4", text))
    assert emptied != text and PAGES.written(emptied) == text


def test_numbers_of_documents_are_counted() -> None:
    found = {
        name: int(number)
        for path in PAGES.PAGES
        for _, name, number, _ in PAGES.COUNT.findall(path.read_text(encoding="utf-8"))
    }
    folders = ROOT / "src" / "kernelbenchx" / "tasks"
    by_hand = len([one for one in folders.glob("level?/*.py") if one.stem != "__init__"])
    assert found == {"problems": by_hand, "kernelbench": 250, "judged": 31}
    wrong = "the <!-- count problems -->31<!-- / --> problems"
    assert PAGES.written(wrong) == wrong.replace("31", str(by_hand)) != wrong


def test_other_precisions_are_not_in_the_published_list() -> None:
    """It has 176 tasks; bf16 and fp16 files of relu, sigmoid, tanh and mul lie beside it."""
    others = {name for name in catalog.function_names() if not is_in_published_list(name)}
    pairs = [("activation", "relu"), ("activation", "sigmoid"), ("activation", "tanh")]
    pairs.append(("math", "mul"))
    assert others == {
        f"{where}/{name}_{kind}" for where, name in pairs for kind in ("bf16", "fp16")
    }
    listed = len(catalog.function_names()) - len(others)
    limits = PAGES.LIMITATIONS.read_text(encoding="utf-8")
    assert f"| all {listed + len(others)} | {listed} of {sum(TASKS.values())} |" in limits


@pytest.mark.slow
def test_a_stale_page_is_named_and_then_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text(CATALOGUE.replace("## Pooling", "## Pools"), encoding="utf-8")
    monkeypatch.setattr(PAGES, "PAGES", (page,))
    monkeypatch.setattr(PAGES, "ROOT", tmp_path)
    assert PAGES.main(check=True) == 1
    assert PAGES.main(check=False) == 0
    assert PAGES.main(check=True) == 0
    assert capsys.readouterr().out == "page.md is stale\npage.md is written\n"
    assert page.read_text(encoding="utf-8") == CATALOGUE


def test_every_task_has_one_row() -> None:
    functions, problems = (
        [line for line in part.splitlines() if line.startswith("| `")]
        for part in CATALOGUE.split("<!-- problems -->")
    )
    for rows, form, columns in ((functions, "function", 6), (problems, "module", 4)):
        assert sorted(line.split(" | ")[0] for line in rows) == sorted(
            f"| `{one.facts.name}`" for one in tasks() if one.facts.form == form
        )
        assert {line.count(" | ") for line in rows} == {columns}


def test_problems_have_their_grade_and_no_column_for_certificates() -> None:
    shown = CATALOGUE.split("<!-- problems -->")[1]
    assert "certified" not in shown
    for one in tasks(*catalog.problem_names()):
        (line,) = (line for line in shown.splitlines() if line.startswith(f"| `{one.facts.name}`"))
        assert line.split(" | ")[3] == one.grade.value, line


@pytest.mark.slow
def test_the_pages_are_made_without_torch() -> None:
    program = (
        "import sys; sys.path.insert(0, 'scripts'); import write_catalogue as pages;"
        "[pages.written(path.read_text()) for path in pages.PAGES];"
        "sys.exit(bool({'torch', 'triton'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0


@pytest.mark.parametrize("name", catalog.function_names()[::12])
def test_kill_rates_are_those_of_the_mutants_that_are_made(name: str) -> None:
    found = load_summary(name)
    seeds = "1 seed" if found.seeds == 1 else f"{found.seeds} seeds"
    said = f"{found.rate:.1%} of {found.mutants}, {seeds}"
    assert PAGES.kill_rate(task(name)) == (said if found.mutants else "-")


def test_a_task_without_results_has_no_kill_rate(tmp_path: Path) -> None:
    assert PAGES.kill_rate(task("relu"), tmp_path) == "-"


def test_a_time_of_another_witness_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    run = load_run(PAGES.RUN)
    kept = {one.task: run.read_source(one) for one in run.results}
    monkeypatch.setattr(PAGES, "witness_source", kept.__getitem__)
    assert not any("*" in one for one in PAGES.times.__wrapped__().values())
    monkeypatch.setattr(PAGES, "witness_source", lambda name: kept[name] + "\n")
    marked = PAGES.times.__wrapped__().values()
    assert marked and all(one.endswith(PAGES.EARLIER) for one in marked)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x**2 where |x| < 1", r"x\*\*2 where \|x\| &lt; 1"),
        ("[0, 1) of `a_b | c` and a_b", r"\[0, 1) of `a_b \| c` and a\_b"),
    ],
)
def test_words_of_a_task_are_not_markup(text: str, said: str) -> None:
    assert PAGES.plain(text) == said
