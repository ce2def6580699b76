from typing import Any

import msgspec
import pytest

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import HANDED_IN, Origin, Submission
from kernelbenchx.evaluate.evaluation_job import (
    count_concurrent,
    jobs_for,
    order_by_compile_time,
    require_all,
)
from kernelbenchx.evaluate.gpu_lock import PARKED
from kernelbenchx.store.database import in_memory
from samples import evaluation

SETTINGS = Settings(device="interpreter", jobs=3)
HERE = evaluation().environment


def _submissions(count: int) -> list[Submission]:
    return [
        Submission(name=f"s{n}", task="activation/relu", source=f"x = {n}\n") for n in range(count)
    ]


def test_a_key_depends_on_everything_a_verdict_depends_on() -> None:
    submission = _submissions(1)[0]
    changes: list[tuple[Any, Any, Any]] = [
        (submission, SETTINGS, HERE),
        (msgspec.structs.replace(submission, source="y = 1\n"), SETTINGS, HERE),
        (msgspec.structs.replace(submission, task="activation/gelu"), SETTINGS, HERE),
        (submission, msgspec.structs.replace(SETTINGS, device="cuda"), HERE),
        (submission, msgspec.structs.replace(SETTINGS, checks=False), HERE),
        (submission, msgspec.structs.replace(SETTINGS, time_limit_s=60.0), HERE),
        (submission, SETTINGS, msgspec.structs.replace(HERE, triton="3.6.0")),
    ]
    keys = {jobs_for([one], settings, here)[0].key for one, settings, here in changes}
    assert len(keys) == len(changes)
    more_jobs = msgspec.structs.replace(SETTINGS, jobs=1, seed=9)
    assert jobs_for([submission], more_jobs, HERE)[0].key in keys


def test_a_key_has_neither_name_nor_author_and_a_row_has_both() -> None:
    (plain,) = _submissions(1)
    changes: list[dict[str, Any]] = [
        {"method": "sample"}, {"model": "m"}, {"round": "1"}, {"sample": 1}, {"step": "sample 0"},
        {"step": HANDED_IN},
    ]  # fmt: skip
    made = [msgspec.structs.replace(plain, origin=Origin(**one)) for one in changes]
    made += [plain, msgspec.structs.replace(plain, name="other")]
    jobs = jobs_for(made, SETTINGS, HERE)
    assert len({job.key for job in jobs}) == 1
    assert len({job.row for job in jobs}) == len(jobs) == len(made)
    moved = msgspec.structs.replace(plain, origin=Origin(file="elsewhere/s0.py"))
    assert jobs_for([moved], SETTINGS, HERE)[0].row in {job.row for job in jobs}


def test_what_a_method_hands_in_is_timed_once_more() -> None:
    def keys(stage: Stage) -> set[str]:
        settings = msgspec.structs.replace(SETTINGS, stage=stage)
        (plain,) = _submissions(1)
        steps = ("round 1", "round 2", HANDED_IN)
        made = [msgspec.structs.replace(plain, origin=Origin(step=step)) for step in steps]
        return {job.key for job in jobs_for(made, settings, HERE)}

    assert len(keys(Stage.PERF)) == 2 and len(keys(Stage.EXE)) == 1


def test_baselines_belong_to_the_key_of_times_only() -> None:
    def key(stage: Stage, *baselines: str) -> str:
        settings = msgspec.structs.replace(SETTINGS, stage=stage, baselines=baselines)
        return jobs_for(_submissions(1), settings, HERE)[0].key

    assert key(Stage.PERF, "eager") != key(Stage.PERF, "eager", "compile")
    assert key(Stage.EXE, "eager") == key(Stage.EXE, "eager", "compile")


def test_other_sizes_belong_to_the_key_of_times_only() -> None:
    def key(stage: Stage, sizes: str) -> str:
        settings = msgspec.structs.replace(SETTINGS, stage=stage, sizes=sizes)
        return jobs_for(_submissions(1), settings, HERE)[0].key

    assert key(Stage.PERF, "ours") != key(Stage.PERF, "published")
    assert key(Stage.EXE, "ours") == key(Stage.EXE, "published")


def test_the_same_submission_twice_is_one_job() -> None:
    assert len(jobs_for(_submissions(2) * 3, SETTINGS, HERE)) == 2


def test_soonest_are_the_tasks_of_short_sources() -> None:
    long = Submission(name="a", task="activation/gelu", source="x" * 99)
    jobs = jobs_for([long, *_submissions(2)], SETTINGS, HERE)
    assert order_by_compile_time(jobs) == ["activation/relu", "activation/gelu"]


def test_those_that_wait_for_a_card_come_on_top_where_times_are_taken() -> None:
    assert count_concurrent(SETTINGS, 2) == 3
    timed = msgspec.structs.replace(SETTINGS, stage=Stage.PERF)
    assert count_concurrent(timed, 2) == 3 + 2 * PARKED
    assert count_concurrent(timed, 0) == 3


def test_a_missing_evaluation_is_a_fault_of_ours() -> None:
    jobs = jobs_for(_submissions(1), SETTINGS, HERE)
    with in_memory() as database:
        with pytest.raises(EvaluatorFault, match="1 evaluations were not stored"):
            require_all(database, jobs)
        database.append(jobs[0].row, evaluation("s0"), "x")
        assert [one.submission for one in require_all(database, jobs)] == ["s0"]
