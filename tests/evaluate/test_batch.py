import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Reason, Stage, Void
from kernelbenchx.core.performance import Performance, Unmeasured
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Origin, Submission
from kernelbenchx.evaluate.batch import Job, jobs_for, require_all, run_jobs
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation, timed

SETTINGS = Settings(device="interpreter", jobs=3)
HERE = evaluation().environment


def _submissions(count: int) -> list[Submission]:
    return [
        Submission(name=f"s{n}", task="activation/relu", source=f"x = {n}\n") for n in range(count)
    ]


class _Counting:
    """Stands in for the stages: answers at once and remembers what it was asked."""

    def __init__(self, *void: str, performance: Performance | None = None) -> None:
        self.settings = SETTINGS
        self.cards = None
        self.asked: list[str] = []
        self._void = void
        self._performance = performance
        self.stopped = threading.Event()

    def stop(self) -> None:
        self.stopped.set()

    def evaluate(self, submission: Submission) -> Evaluation:
        self.asked.append(submission.name)
        if submission.name in self._void:
            return evaluation(submission.name, Void(reason=Reason.EVALUATOR, detail="lost"))
        return evaluation(submission.name, performance=self._performance)


def _run(stand_in: _Counting, tmp_path: Path, submissions: list[Submission]) -> list[str]:
    with writing(RunFolder(tmp_path)) as database:
        jobs = jobs_for(submissions, SETTINGS, HERE)
        run_jobs(stand_in, database, jobs, lambda _job, _done: None)
        return [one.submission for one in require_all(database, jobs)]


def test_what_is_finished_does_not_run_again_and_order_is_kept(tmp_path: Path) -> None:
    first, second = _Counting(), _Counting()
    assert _run(first, tmp_path, _submissions(4)) == ["s0", "s1", "s2", "s3"]
    assert _run(second, tmp_path, _submissions(6)) == ["s0", "s1", "s2", "s3", "s4", "s5"]
    assert sorted(first.asked) == ["s0", "s1", "s2", "s3"]
    assert sorted(second.asked) == ["s4", "s5"]


def test_void_is_tried_again(tmp_path: Path) -> None:
    _run(_Counting("s1"), tmp_path, _submissions(3))
    again = _Counting()
    _run(again, tmp_path, _submissions(3))
    assert again.asked == ["s1"]


class _Slow(_Counting):
    """The second of two runs until somebody stops it."""

    def evaluate(self, submission: Submission) -> Evaluation:
        if submission.name == "s1":
            assert self.stopped.wait(60.0)
        return super().evaluate(submission)


def test_who_is_interrupted_does_not_wait_for_what_still_runs(tmp_path: Path) -> None:
    slow = _Slow()

    def interrupted(_job: Job, _done: Evaluation) -> None:
        raise KeyboardInterrupt

    with writing(RunFolder(tmp_path)) as database:
        jobs = jobs_for(_submissions(2), SETTINGS, HERE)
        with pytest.raises(KeyboardInterrupt):
            run_jobs(slow, database, jobs, interrupted)
        assert database.finished() == {jobs[0].key}
    assert slow.stopped.is_set()
    whole = _Counting()
    _run(whole, tmp_path, _submissions(2))
    assert whole.asked == ["s1"] and not whole.stopped.is_set()


def test_a_key_depends_on_everything_a_verdict_depends_on() -> None:
    submission = _submissions(1)[0]
    changes: list[tuple[Any, Any, Any]] = [
        (submission, SETTINGS, HERE),
        (msgspec.structs.replace(submission, source="y = 1\n"), SETTINGS, HERE),
        (msgspec.structs.replace(submission, task="activation/gelu"), SETTINGS, HERE),
        (submission, msgspec.structs.replace(SETTINGS, device="cuda"), HERE),
        (submission, msgspec.structs.replace(SETTINGS, checks=False), HERE),
        (submission, SETTINGS, msgspec.structs.replace(HERE, triton="3.6.0")),
    ]
    keys = {jobs_for([one], settings, here)[0].key for one, settings, here in changes}
    assert len(keys) == len(changes)
    more_jobs = msgspec.structs.replace(SETTINGS, jobs=1, seed=9)
    assert jobs_for([submission], more_jobs, HERE)[0].key in keys


def test_what_a_method_asked_for_is_told_apart_by_whose_it_is() -> None:
    def keys(*origins: Origin) -> set[str]:
        (plain,) = _submissions(1)
        made = [msgspec.structs.replace(plain, origin=origin) for origin in origins]
        return {jobs_for([one], SETTINGS, HERE)[0].key for one in made}

    asked = Origin(method="sample", model="m", step="sample 0")
    others = [Origin(method="sample", model="n", step="sample 0"),
              Origin(method="sample", model="m", step="sample 1"), Origin()]  # fmt: skip
    assert len(keys(asked, *others)) == 4
    # Whoever writes a file is not known for sure: the file counts.
    assert keys(Origin()) == keys(Origin(method="sample", model="m"))


def test_baselines_belong_to_the_key_of_times_only() -> None:
    def key(stage: Stage, *baselines: str) -> str:
        settings = msgspec.structs.replace(SETTINGS, stage=stage, baselines=baselines)
        return jobs_for(_submissions(1), settings, HERE)[0].key

    assert key(Stage.PERF, "eager") != key(Stage.PERF, "eager", "compile")
    assert key(Stage.EXE, "eager") == key(Stage.EXE, "eager", "compile")


def test_times_that_could_not_be_trusted_are_tried_again(tmp_path: Path) -> None:
    lost = Unmeasured(reason=Reason.DISTURBED, detail="another process")
    _run(_Counting(performance=lost), tmp_path, _submissions(2))
    again = _Counting(performance=timed())
    _run(again, tmp_path, _submissions(2))
    assert sorted(again.asked) == ["s0", "s1"]
    last = _Counting()
    _run(last, tmp_path, _submissions(2))
    assert last.asked == []


def test_the_same_submission_twice_is_one_job() -> None:
    assert len(jobs_for(_submissions(2) * 3, SETTINGS, HERE)) == 2
