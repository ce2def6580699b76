"""Times of cases are read from records, and means from samples."""

from pathlib import Path

import msgspec

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Failed, LeftOut, Performance, Sample
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import LARGE, SMALL, evaluation, on_a_card, timed


def _one(name: str, performance: Performance, task: str = "activation/relu") -> Evaluation:
    made = on_a_card(evaluation(name, performance=performance))
    return msgspec.structs.replace(made, task=task)


def _write(folder: Path, **found: Evaluation) -> Path:
    with writing(RunFolder(folder)) as database:
        for key, one in found.items():
            database.append(key, one, "source")
    return folder


def test_cases_have_the_times_over_eager_by_the_device_clock(tmp_path: Path) -> None:
    left_out = (LeftOut(case="shape=(9,)", why="the GPU has too little memory"),)
    given = msgspec.structs.replace(timed(1.25, baselines=("compile", "eager")), left_out=left_out)
    (one,) = read_attempts([_write(tmp_path, k=_one("one", given))])
    assert [(each.case, each.candidate_us, each.eager_us) for each in one.case_times] == [
        (LARGE, 100.0, 125.0),
        (SMALL, 100.0, 125.0),
    ]
    assert {(each.iou, each.mfu) for each in one.case_times} == {(0.75, 0.009)}, "data sheet"
    assert one.left_out == ("shape=(9,)",) and one.mean_ms is None


def test_times_before_a_failure_do_not_count(tmp_path: Path) -> None:
    failed = Failed(case=SMALL, reason=Reason.BAD_VALUES, detail="wrong", cases=timed(1.25).cases)
    (one,) = read_attempts([_write(tmp_path, k=_one("one", failed))])
    assert one.case_times == () and one.left_out == ()


def test_a_kernelbench_problem_has_means_over_all_samples_to_three_digits(tmp_path: Path) -> None:
    given = timed(1.25, cases=(LARGE,))
    (case,) = given.cases
    samples = tuple(
        Sample(pair=0, block=block, candidate_us=us, baseline_us=2 * us + 0.5)
        for block, us in enumerate((1000.0, 2001.0, 3004.0))
    )
    compared = tuple(msgspec.structs.replace(one, samples=samples) for one in case.comparisons)
    slow = msgspec.structs.replace(
        given, cases=(msgspec.structs.replace(case, comparisons=compared),)
    )
    run = _write(tmp_path, k=_one("one", slow, "level1/relu"), other=_one("two", slow, "math/abs"))
    found = {one.task: one.mean_ms for one in read_attempts([run])}
    # The means are 2.00166... and 4.00383... ms.
    assert found == {"level1/relu": (2.0, 4.0), "math/abs": None}
