"""Evaluations for feedback lie beside verdicts and never among them."""

from pathlib import Path

from kernelbenchx.core.outcome import CaseResult, CaseState, Reason, Wrong
from kernelbenchx.core.performance import Timed
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation, timed

WRONG = Wrong(case="a", reason=Reason.BAD_VALUES, detail="far")


def test_the_first_feedback_of_a_submission_stays_and_is_no_verdict(tmp_path: Path) -> None:
    seen = evaluation("one", WRONG, cases=(CaseResult("a", CaseState.WRONG, needs=()),))
    with writing(RunFolder(tmp_path)) as database:
        database.append("k", evaluation("one"), "source")
        assert database.feedback("k") is None
        database.keep_feedback("k", seen)
        database.keep_feedback("k", evaluation("one"))
        assert database.feedback("k") == seen
        asked = "SELECT submission, task, category, outcome, core_correct, seed FROM feedback"
        rows = database.connection.execute(asked).fetchall()
    assert rows == [("one", "relu", "activation", "wrong", 0, 5)]
    (found,) = read_attempts([tmp_path])
    assert found.correct


def test_times_are_kept_without_raw_samples(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        database.keep_feedback("k", evaluation("one", performance=timed(2.0)))
        kept = database.feedback("k")
    assert kept is not None and isinstance(kept.performance, Timed)
    compared = [one for case in kept.performance.cases for one in case.comparisons]
    assert compared and all(one.speedup == 2.0 and one.samples == () for one in compared)
