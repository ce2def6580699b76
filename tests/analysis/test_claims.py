"""The table of verdicts: of runs, of the papers, or of both."""

from typing import Any

from attempts_made import made, void, wrong
from kernelbenchx.analysis.claim_statements import STATEMENTS
from kernelbenchx.analysis.claims import PAPERS, STUDY, study_findings, tables
from kernelbenchx.analysis.published_attempts import attempts

RUNS = [wrong(f"f/{n}", category="Fusion") for n in range(20)] + [made("m/a", 2.0)]


def _rows(**given: Any) -> list[dict[str, Any]]:
    verdicts, _ = tables(given.pop("attempts", RUNS), **given)
    return [dict(row) for row in verdicts.records()]


def test_runs_alone_are_asked_what_they_can_answer() -> None:
    rows = _rows()
    assert {row["study"] for row in rows} == {STUDY}
    (fusion,) = [row for row in rows if row["claim"] == "fusion_unsolved"]
    assert (fusion["verdict"], fusion["value"], fusion["n"]) == ("holds", 100.0, 20)
    assert (fusion["unit"], fusion["border"], fusion["printed"]) == ("percent", "above 50", "72 %")
    said = tables(RUNS)[0].notes[-1]
    assert "refinement_repairs" in said and "fusion_unsolved" not in said


def test_the_papers_stand_behind_runs_with_their_own_rows() -> None:
    rows = _rows(published=True)
    studies = [row["study"] for row in rows]
    assert studies == sorted(studies, reverse=True) and set(studies) == {STUDY, PAPERS}
    (portable,) = [row for row in rows if row["claim"] == "portability"]
    assert portable["value_low"] is None and "not published" in portable["note"]


def test_published_attempts_are_no_run() -> None:
    assert study_findings(attempts()) == []
    assert {row["study"] for row in _rows(attempts=attempts(), published=True)} == {PAPERS}


def test_every_statement_is_defined_beside_the_verdicts() -> None:
    _, defined = tables(RUNS)
    assert [row["claim"] for row in defined.records()] == [one.name for one in STATEMENTS]


def test_what_was_not_judged_is_asked_nothing() -> None:
    verdicts, _ = tables([void()])
    assert verdicts.rows == () and len(verdicts.notes) == 1
