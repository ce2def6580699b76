import importlib
from dataclasses import replace
from pathlib import Path

import pytest

from asked_runs import write_asked_run
from attempts_made import broken, made, void, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.cli.analysis_registry import (
    ANALYSES,
    KERNELBENCH,
    PUBLISHED,
    parse_request,
    read,
    run_analyses,
)
from kernelbenchx.core.errors import BadInput
from many_runs import write_run

DOCUMENTS = Path(__file__).resolve().parents[2] / "docs" / "reference" / "analysis"


@pytest.mark.parametrize("file", sorted({file for files in ANALYSES.values() for file in files}))
def test_every_file_offers_tables(file: str) -> None:
    assert callable(importlib.import_module(f"kernelbenchx.analysis.{file}").tables)


@pytest.mark.parametrize("name", [*ANALYSES, PUBLISHED])
def test_every_analysis_has_a_page_with_its_limits(name: str) -> None:
    text = (DOCUMENTS / f"{name}.md").read_text(encoding="utf-8")
    assert f"kbx analyze {name}" in text
    assert "Limits" in text or "What the data can say" in text


@pytest.mark.parametrize(
    "few",
    [
        [made()],
        [made("math/add", 1.5)],
        [wrong()],
        [broken("math/add"), broken("math/sub", method="n")],
        [void()],
        [void(), made("math/sub")],
    ],
)
def test_whatever_has_no_row_says_why(few: list[Attempt]) -> None:
    asked = parse_request([*ANALYSES, PUBLISHED], ())
    for name, tables in run_analyses(replace(asked, published=False), few):
        known = any(one.rows for one in tables)
        assert known or any(one.notes for one in tables), name


def test_names_come_first_and_without_one_it_is_all(tmp_path: Path) -> None:
    asked = parse_request(["speed", "rates", str(tmp_path), PUBLISHED], [2.0])
    assert asked.names == ("rates", "speed") and asked.published
    assert asked.runs == (tmp_path,) and asked.thresholds == (2.0,)
    assert asked.notes
    everything = parse_request([str(tmp_path)], ())
    assert everything.names == tuple(ANALYSES) and not everything.published
    assert everything.notes == ()


def test_a_run_may_be_named_like_an_analysis_when_its_path_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rates").mkdir()
    assert parse_request(["speed", "./rates"], ()).runs == (Path("rates"),)


def test_a_folder_that_is_named_like_an_analysis_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match=r"RUN$"):
        parse_request(["rates"], ())
    (tmp_path / "rates").mkdir()
    with pytest.raises(BadInput, match=r"\./rates is the folder of that name"):
        parse_request(["rates"], ())


@pytest.mark.parametrize("words", [["rates"], ["nothing"], ["rates", "sped"]])
def test_what_cannot_be_used_is_refused(words: list[str]) -> None:
    with pytest.raises(BadInput):
        parse_request(words, ())


def test_published_attempts_join_those_of_runs(tmp_path: Path) -> None:
    count = write_run(tmp_path, tasks=15, methods=1, rounds=1)
    both = read(parse_request([str(tmp_path), PUBLISHED], ()))
    assert {one.run for one in both} == {str(tmp_path), PUBLISHED}
    assert len(both) == count + len(read(parse_request([PUBLISHED], ())))


def test_each_analysis_gets_what_it_needs(tmp_path: Path) -> None:
    asked = parse_request(["speed", "failures", str(tmp_path)], [1.7])
    write_run(tmp_path, tasks=15, methods=1, rounds=1)
    found = dict(run_analyses(asked, read(asked)))
    (fast,) = [table for table in found["speed"] if table.name == "fast_p"]
    assert {row["p"] for row in fast.records()} == {1.7}
    assert "quality_by_method" in {table.name for table in found["failures"]}


def test_what_the_paper_prints_about_an_analysis_stands_beside_it() -> None:
    few = [made("a"), wrong("b")]
    assert [name for name, _ in run_analyses(parse_request(["failures", PUBLISHED], ()), few)] == [
        "failures"
    ]
    found = dict(run_analyses(parse_request(["speed", PUBLISHED], ()), few))
    assert list(found) == [PUBLISHED, "speed"], "where there is no run, the paper opens"
    assert [table.name for table in found[PUBLISHED]] == ["published_speed"]


def test_behind_runs_the_papers_stand_last(tmp_path: Path) -> None:
    asked = parse_request(["hardware", str(tmp_path), PUBLISHED, KERNELBENCH], ())
    assert asked.words == (str(tmp_path), PUBLISHED, KERNELBENCH)
    found = [name for name, _ in run_analyses(asked, [made("a"), wrong("b")])]
    assert found == ["hardware", PUBLISHED, KERNELBENCH]


def test_the_kernelbench_paper_alone_is_its_tables() -> None:
    found = dict(run_analyses(parse_request([KERNELBENCH], ()), []))
    assert list(found) == [KERNELBENCH] and len(found[KERNELBENCH]) == 4
    (one,) = dict(run_analyses(parse_request(["hardware", KERNELBENCH], ()), []))[KERNELBENCH]
    assert one.name == "kernelbench_gpus"
    with pytest.raises(BadInput, match="nothing about rates"):
        list(run_analyses(parse_request(["rates", KERNELBENCH], ()), []))


def test_cost_is_spoken_of_where_there_is_some_or_where_it_is_asked_for(tmp_path: Path) -> None:
    asked_run, other = write_asked_run(tmp_path / "asked"), tmp_path / "other"
    write_run(other, tasks=15, methods=1, rounds=1)
    for run, names, there in (
        (asked_run, [], True),
        (other, [], False),
        (other, ["cost"], True),
    ):
        asked = parse_request([*names, str(run)], ())
        found = {name for name, _ in run_analyses(asked, read(asked))}
        assert ("cost" in found) == there
