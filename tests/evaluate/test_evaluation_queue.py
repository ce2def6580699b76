import threading
from concurrent.futures import CancelledError, Future, wait

import msgspec
import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.evaluation_job import EvaluationJob
from kernelbenchx.evaluate.evaluation_queue import EvaluationQueue
from samples import evaluation

LONG_S = 30.0


class _Judge:
    """Answers when it is let, and remembers what it was asked."""

    def __init__(self, *, held: bool = False) -> None:
        self.asked: list[str] = []
        self.shared: list[str] = []
        self.begun = threading.Semaphore(0)
        self.let = threading.Event()
        self.stopped = False
        if not held:
            self.let.set()

    def __call__(self, job: EvaluationJob) -> Evaluation:
        self.asked.append(job.submission.name)
        self.begun.release()
        assert self.let.wait(LONG_S)
        if job.submission.source == "raise":
            raise BadInput("no such level")
        return evaluation(job.submission.name)

    def share(self, job: EvaluationJob, judged: Evaluation) -> Evaluation:
        self.shared.append(job.submission.name)
        return msgspec.structs.replace(judged, submission=job.submission.name)

    def stop(self) -> None:
        self.stopped = True
        self.let.set()


def _job(name: str, source: str = "x") -> EvaluationJob:
    return EvaluationJob(
        f"{name} {source}", Submission(name=name, task="activation/relu", source=source)
    )


def _queue(judge: _Judge, threads: int = 1) -> EvaluationQueue:
    return EvaluationQueue(judge, judge.share, judge.stop, threads)


def test_each_job_has_a_future_of_its_evaluation() -> None:
    judge = _Judge()
    queue = _queue(judge, threads=3)
    futures = [queue.put(_job(f"s{n}")) for n in range(6)]
    assert [one.result(LONG_S).submission for one in futures] == [f"s{n}" for n in range(6)]
    queue.close(wait_for_all=True)
    assert not judge.stopped, "nothing ran any more"


def test_what_goes_wrong_is_raised_where_it_is_waited_for() -> None:
    queue = _queue(_Judge())
    with pytest.raises(BadInput, match="no such level"):
        queue.put(_job("s", "raise")).result(LONG_S)
    assert queue.put(_job("t")).result(LONG_S).submission == "t"
    queue.close(wait_for_all=True)


def test_the_same_key_at_once_is_judged_once() -> None:
    judge = _Judge(held=True)
    queue = _queue(judge, threads=2)
    first = queue.put(_job("s"))
    assert judge.begun.acquire(timeout=LONG_S)
    second = queue.put(_job("s"))
    assert not second.cancel(), "it runs already"
    judge.let.set()
    assert first.result(LONG_S) is second.result(LONG_S)
    assert judge.asked == ["s"]
    queue.put(_job("s")).result(LONG_S)
    assert judge.asked == ["s", "s"], "not at once: whether it is known says the run"
    queue.close(wait_for_all=True)


def _same(name: str, source: str = "x") -> EvaluationJob:
    return EvaluationJob(source, Submission(name=name, task="activation/relu", source=source))


def test_equal_content_at_once_is_judged_once_and_shown_under_every_name() -> None:
    judge, told = _Judge(held=True), list[str]()
    queue = _queue(judge, threads=3)
    jobs = [_same("a"), _same("b"), _same("a"), _same("other", "y")]
    futures = [queue.put(job, lambda one: told.append(one.submission)) for job in jobs]
    judge.let.set()
    assert [one.result(LONG_S).submission for one in futures] == ["a", "b", "a", "other"]
    assert sorted(judge.asked) == ["a", "other"], "another source is judged for itself"
    assert judge.shared == ["b"], "the second a is the first"
    assert sorted(told) == ["a", "a", "b", "other"]
    queue.close(wait_for_all=True)


def test_equal_content_is_judged_for_one_that_still_waits() -> None:
    judge = _Judge(held=True)
    queue = _queue(judge)
    _, first, second = map(queue.put, (_same("z", "z"), _same("a"), _same("b")))
    assert judge.begun.acquire(timeout=LONG_S) and first.cancel()
    judge.let.set()
    assert second.result(LONG_S).submission == "b"
    assert judge.asked == ["z", "b"] and judge.shared == []
    queue.close(wait_for_all=True)


def test_what_goes_wrong_for_one_name_is_raised_there_alone() -> None:
    judge = _Judge(held=True)

    def refuse(job: EvaluationJob, judged: Evaluation) -> Evaluation:
        raise BadInput("disk full")

    queue = EvaluationQueue(judge, refuse, judge.stop, 1)
    first, second = queue.put(_same("a")), queue.put(_same("b"))
    judge.let.set()
    assert first.result(LONG_S).submission == "a"
    with pytest.raises(BadInput, match="disk full"):
        second.result(LONG_S)
    queue.close(wait_for_all=True)


def test_what_is_cancelled_before_it_begins_never_runs() -> None:
    judge = _Judge(held=True)
    queue = _queue(judge)
    running, queued, shared, other = map(queue.put, map(_job, ("a", "b", "c", "c")))
    assert judge.begun.acquire(timeout=LONG_S)
    assert queued.cancel() and shared.cancel() and not running.cancel()
    judge.let.set()
    assert other.result(LONG_S).submission == "c", "one of two still waits for it"
    queue.close(wait_for_all=True)
    assert judge.asked == ["a", "c"]


def test_watching_is_told_before_the_result_is_there() -> None:
    queue = _queue(_Judge())
    told: list[str] = []
    future = queue.put(_job("s"), lambda one: told.append(one.submission))
    future.result(LONG_S)
    assert told == ["s"]
    queue.close(wait_for_all=True)


def test_closing_waits_for_what_is_waited_for() -> None:
    judge = _Judge(held=True)
    queue = _queue(judge)
    futures = [queue.put(_job(name)) for name in ("a", "b")]
    threading.Timer(0.05, judge.let.set).start()
    queue.close(wait_for_all=True)
    assert [one.result(0).submission for one in futures] == ["a", "b"]
    with pytest.raises(BadInput, match="closed"):
        queue.put(_job("c"))


def test_closing_at_once_ends_what_runs_and_cancels_the_rest() -> None:
    judge = _Judge(held=True)
    queue = _queue(judge)
    running, queued = queue.put(_job("a")), queue.put(_job("b"))
    assert judge.begun.acquire(timeout=LONG_S)
    queue.close(wait_for_all=False)
    assert judge.stopped and running.done()
    with pytest.raises(CancelledError):
        queued.result(0)
    assert not wait([queued], 0).not_done, "those that wait for it were told"
    assert judge.asked == ["a"]


def test_closing_does_not_wait_for_what_was_given_up() -> None:
    judge = _Judge(held=True)
    queue = _queue(judge)
    late: list[Future[Evaluation]] = [queue.put(_job(name)) for name in ("a", "b")]
    assert judge.begun.acquire(timeout=LONG_S)
    for one in late:
        queue.give_up(one)
    assert late[1].cancelled() and not late[0].done()
    queue.close(wait_for_all=True)
    assert judge.stopped and judge.asked == ["a"]
