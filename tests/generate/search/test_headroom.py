import math

import msgspec
import pytest

import kernelbenchx.spec  # noqa: F401 - torch is loaded before any test is timed
from generate.search.timed_sources import RIGHT, at_speed
from kernelbenchx.core.performance import Efficiency, Timed
from kernelbenchx.generate.search.headroom import (
    bound_of,
    by_cost,
    ceiling_of,
    compute_peak_share,
    farthest,
)
from kernelbenchx.generate.search.log_speed import LogSpeed
from kernelbenchx.generate.search.prior import Bottleneck
from samples import evaluation, timed

AT_ONE = LogSpeed(0.0, -0.1, 0.1)


def _with(made: Timed, **fields: float) -> Timed:
    cases = tuple(
        msgspec.structs.replace(one, efficiency=msgspec.structs.replace(one.efficiency, **fields))
        for one in made.cases
    )
    return msgspec.structs.replace(made, cases=cases)


def test_the_larger_use_of_the_card_says_what_is_waited_for() -> None:
    assert bound_of(evaluation("k", RIGHT, timed())) is Bottleneck.MEMORY
    used = _with(timed(), iou=0.1, mfu=0.5)
    assert bound_of(evaluation("k", RIGHT, used)) is Bottleneck.ARITHMETIC


@pytest.mark.parametrize(
    ("task", "bound"),
    [
        ("activation/relu", Bottleneck.MEMORY),
        ("matrix_multiply/matmul_fp16", Bottleneck.ARITHMETIC),
    ],
)
def test_without_times_the_cost_of_the_task_says_it(task: str, bound: Bottleneck) -> None:
    assert by_cost(task) is bound
    untimed = msgspec.structs.replace(evaluation("k", RIGHT), task=task)
    assert bound_of(untimed) is bound


def test_no_kernel_exceeds_the_limit_of_the_card() -> None:
    made = evaluation("k", RIGHT, timed(1.0))
    assert isinstance(made.performance, Timed)
    mine = made.performance.cases[0].comparisons[0].candidate_us
    found = ceiling_of(made, AT_ONE)
    assert found == pytest.approx(math.log(mine / 80.0))
    unknown = _with(made.performance, roofline_us=0.0)
    assert ceiling_of(evaluation("k", RIGHT, unknown), AT_ONE) == math.inf
    assert ceiling_of(evaluation("k", RIGHT), AT_ONE) == math.inf
    beyond = _with(made.performance, roofline_us=10 * mine)
    assert ceiling_of(evaluation("k", RIGHT, beyond), AT_ONE) == AT_ONE.value


def test_the_share_of_the_peak_is_known_only_with_times() -> None:
    assert compute_peak_share(evaluation("k", RIGHT, at_speed(1.0, score=0.9))) == pytest.approx(
        0.9
    )
    assert compute_peak_share(evaluation("k", RIGHT)) == 0.0


def test_the_case_with_most_to_gain_is_not_one_that_launching_rules() -> None:
    made = timed()
    worst = msgspec.structs.replace(
        made.cases[1], efficiency=Efficiency(gb_per_s=1, tflops=1, iou=0, mfu=0, score=0.01)
    )
    found = farthest(msgspec.structs.replace(made, cases=(made.cases[0], worst)))
    assert worst.overhead_bound
    assert found is made.cases[0]
    assert farthest(msgspec.structs.replace(made, cases=())) is None
