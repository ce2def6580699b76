"""Equal sources in one run: judged once, shown under every name and author."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Reason, Void
from kernelbenchx.core.performance import Performance, Timed, Unmeasured
from kernelbenchx.core.submission import Origin, Submission
from kernelbenchx.evaluate.evaluation_job import EvaluationJob
from kernelbenchx.evaluate.same_content import RecentEvaluations, SameContent, copy_for
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.database import Database, writing
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.query import ask
from kernelbenchx.store.raw_records import reading
from samples import evaluation, timed

VOID = Void(reason=Reason.EVALUATOR, detail="lost")


class _Judge:
    """Remembers what it was asked, and answers when it is let."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.let = threading.Event()
        self.let.set()
        self.outcome: Void | None = None

    def __call__(self, submission: Submission) -> Evaluation:
        self.asked.append(submission.name)
        assert self.let.wait(30)
        if self.outcome is not None:
            return evaluation(submission.name, self.outcome)
        return evaluation(submission.name, performance=timed(1.5))


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with writing(RunFolder(tmp_path)) as opened:
        yield opened


def _job(name: str, key: str = "content", model: str = "") -> EvaluationJob:
    made = Submission(name=name, task="activation/relu", source="x", origin=Origin(model=model))
    return EvaluationJob(key, made)


def test_a_copy_has_its_own_name_and_author_and_no_measurement() -> None:
    one = evaluation("first", performance=timed(1.5))
    copy = copy_for(_job("second", model="m").submission, one)
    assert (copy.submission, copy.origin.model, copy.seconds) == ("second", "m", 0.0)
    assert isinstance(one.performance, Timed) and isinstance(copy.performance, Timed)
    assert copy.performance.speedups == one.performance.speedups
    compared = [each for case in copy.performance.cases for each in case.comparisons]
    assert compared and all(each.samples == () for each in compared)
    assert (copy.outcome, copy.digest, copy.seed) == (one.outcome, one.digest, one.seed)


def test_from_many_threads_one_judges_and_the_others_wait(
    database: Database, tmp_path: Path
) -> None:
    judge, same = _Judge(), SameContent(database)
    judge.let.clear()
    jobs = [_job(f"s{n}", model=f"m{n % 2}") for n in range(8)] + [_job("other", "another")]
    with ThreadPoolExecutor(9) as pool:
        found = [pool.submit(same.judge, job, judge) for job in jobs]
        judge.let.set()
        verdicts = [one.result(30) for one in found]
    assert [one.submission for one in verdicts] == [job.submission.name for job in jobs]
    assert len(judge.asked) == 2 and "other" in judge.asked
    assert not same._busy and not same._users, "no lock is left"
    rows = ask([tmp_path], "SELECT content_key, count(*) FROM evaluations GROUP BY 1").rows
    assert sorted(rows) == [("another", 1), ("content", 8)]


def test_raw_samples_lie_once_and_every_row_finds_them(database: Database, tmp_path: Path) -> None:
    judge, same = _Judge(), SameContent(database)
    jobs = [_job(f"s{n}") for n in range(3)]
    for job in jobs:
        same.judge(job, judge)
    keys = [job.row for job in jobs]
    assert database.connection.execute("SELECT DISTINCT key FROM samples").fetchall() == [
        (keys[0],)
    ]
    assert [one.performance for one in database.read(keys)] == [timed(1.5)] * 3
    with reading(tmp_path) as opened:
        first, *others = [one.samples for one in opened.evaluations(keys)]
        assert first and others == [first, first]
        assert {key for key, _ in opened.read_speeds(keys)} == set(keys)
    assert {one.content_key for one in read_attempts([tmp_path])} == {"content"}


def test_void_is_judged_again_for_all_of_its_names(database: Database) -> None:
    judge, same = _Judge(), SameContent(database)
    judge.outcome = VOID
    lost = same.judge(_job("a"), judge)
    same.share(_job("b"), lost)
    assert [one.verdict for one in database.read([_job("a").row, _job("b").row])] == ["void"] * 2
    judge.outcome = None
    same.judge(_job("b"), judge)
    same.judge(_job("a"), judge)
    assert judge.asked == ["a", "b"]
    assert {one.verdict for one in database.read([_job("a").row, _job("b").row])} == {"correct"}


def test_equal_sources_teach_the_same_and_the_first_stays(database: Database) -> None:
    judge, same = _Judge(), SameContent(database)
    for name in ("a", "b"):
        same.judge(_job(name), judge)
    first = same.judge_for_feedback(_job("a"), judge)
    second = same.judge_for_feedback(_job("b"), judge)
    assert judge.asked == ["a", "a"], "once for the verdict, once for feedback"
    assert (first.submission, second.submission) == ("a", "b")
    assert first.outcome == second.outcome
    assert same.judge_for_feedback(_job("a"), judge) == first


def test_without_a_folder_nothing_is_known_and_nothing_kept(database: Database) -> None:
    judge, same = _Judge(), SameContent(database)
    for name in ("a", "b"):
        same.judge(_job(name), judge, keep=False)
    assert judge.asked == ["a", "b"] and not database.holds_evaluations()


def test_recent_evaluations_are_found_again_and_the_longest_unused_is_forgotten() -> None:
    recent = RecentEvaluations(most=2)
    for name in ("a", "b"):
        recent.add(name, evaluation(name, performance=timed(1.5)))
    found = recent.find("a")
    assert found is not None and isinstance(found.performance, Timed)
    assert found.outcome == evaluation("a").outcome
    recent.add("c", evaluation("c"))
    assert recent.find("a") is not None and recent.find("b") is None


@pytest.mark.parametrize(
    ("outcome", "performance", "again"),
    [
        (VOID, None, True),
        (None, Unmeasured(reason=Reason.DISTURBED, detail="d"), True),
        (None, timed(1.5), False),
    ],
)
def test_what_is_void_or_unmeasured_is_tried_again(
    outcome: Void | None, performance: Performance | None, again: bool
) -> None:
    recent = RecentEvaluations()
    recent.add("key", evaluation("a", outcome, performance=performance))
    assert (recent.find("key") is None) == again
