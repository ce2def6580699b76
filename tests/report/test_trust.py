from pathlib import Path

from kernelbenchx.core.grades import Grade
from kernelbenchx.core.not_judged import NotJudged, WhyNotJudged
from kernelbenchx.report import trust
from kernelbenchx.store.attempts import read_runs
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from report_samples import attempt
from samples import evaluation


def test_runs_say_how_much_they_hold(run: Path) -> None:
    (row,) = trust.runs([run]).rows
    assert row[:5] == (str(run), 48, 12, "2026-01-01", "2026-01-01")
    assert row[6:] == (0, 0)


def test_runs_say_what_was_handed_in_and_not_judged(tmp_path: Path) -> None:
    def left_out(why: WhyNotJudged) -> NotJudged:
        return NotJudged(source="set.jsonl", name="r1", why=why, detail="d")

    with writing(RunFolder(tmp_path)) as database:
        database.append("key", evaluation("mine"), "source")
        unknown = [left_out(WhyNotJudged.UNKNOWN_TASK)] * 3
        database.keep_not_judged(["set.jsonl"], [*unknown, left_out(WhyNotJudged.UNREADABLE)])
        database.keep_not_judged(["set.jsonl"], [*unknown, left_out(WhyNotJudged.UNREADABLE)])
        database.keep_not_judged(["other"], [])
    (row,) = trust.runs([tmp_path]).rows
    assert row[6:] == (3, 1)


def test_machines_and_isolation_are_counted_over_runs(run: Path, tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        database.append("key", evaluation("mine"), "source")
    attempts, grounds = read_runs([run, tmp_path])
    machines, isolation, verdicts, _ = trust.tables(grounds, attempts)
    assert {row[0]: row[-1] for row in machines.rows} == {"cuda": 48, "interpreter": 1}
    assert sum(int(str(row[-1])) for row in isolation.rows) == 49
    said = {str(row[0]): row[1] for row in verdicts.rows}
    assert said["provisional verdicts of the interpreter"] == 1
    assert any(kind.startswith("replay: ") for kind in said)


def test_what_is_not_there_is_not_listed() -> None:
    verdicts, certificates = (trust._verdicts([attempt()]), trust._certificates([attempt()]))
    assert len(verdicts.rows) == 1
    assert certificates.rows == (("certified", 1, 1.0),)
    assert certificates.notes == ()


def test_a_language_that_is_not_taken_is_no_failure_of_the_evaluator() -> None:
    void = {"outcome": "void", "performance": "", "eager": None}
    attempts = [
        attempt("1" * 64, **void, reason="unsupported"),
        attempt("2" * 64, **void, reason="unsupported"),
        attempt("3" * 64, **void, reason="evaluator"),
    ]
    said = {str(row[0]): row[1] for row in trust._verdicts(attempts).rows}
    assert said == {
        "void: the evaluator failed, not the submission; in no rate": 1,
        "void: written in a language that is not supported here; in no rate": 2,
    }


def test_tasks_without_a_certificate_are_named() -> None:
    table = trust._certificates(
        [attempt(), attempt("2" * 64, task="math/add", grade=Grade.IMPORTED)]
    )
    assert table.rows == (("certified", 1, 0.5), ("imported", 1, 0.5))
    assert table.notes == ("Not certified: math/add.",)


def test_grades_of_problems_stand_in_their_order_and_unsound_ones_are_counted() -> None:
    grades = [Grade.UNSOUND, Grade.DISCRIMINATING, Grade.WITNESSED, Grade.DISCRIMINATING]
    found = [attempt(task=f"level1/{n}", grade=one) for n, one in enumerate(grades)]
    table = trust._certificates(found)
    assert table.rows == (
        ("witnessed", 1, 0.25), ("discriminating", 2, 0.5), ("unsound as published", 1, 0.25)
    )  # fmt: skip
    assert table.notes == ("Not certified: level1/0.",)
    said = {str(row[0]).partition(":")[0]: row[1] for row in trust._verdicts(found).rows}
    assert said["on a problem that is unsound as published"] == 1
