import math

import msgspec
import pytest

from generate.search.sources import NAMED
from generate.search.timed_sources import RIGHT, at_speed, broken
from kernelbenchx.core.evaluation import Evaluation, KernelFacts
from kernelbenchx.core.outcome import Composition, Outcome, Reason
from kernelbenchx.core.performance import Failed, Performance, Unmeasured
from kernelbenchx.generate.judged_kernel import JudgedKernel
from kernelbenchx.generate.search.log_speed import LogSpeed
from kernelbenchx.generate.search.prior import Bottleneck
from kernelbenchx.generate.search.speed_estimate import kernel_loss, speed_of
from samples import evaluation


def _judged(
    outcome: Outcome = RIGHT, performance: Performance | None = None, **fields: object
) -> Evaluation:
    return msgspec.structs.replace(evaluation("k", outcome, performance), **fields)


def _speed(evaluation: Evaluation, source: str, bound: Bottleneck) -> LogSpeed | None:
    return speed_of(JudgedKernel("k", source, lambda: evaluation), bound)


def _facts(registers: int, *, spills: int = 0, shared: int = 0) -> KernelFacts:
    return KernelFacts(
        name="_scale",
        ok=True,
        target="sm_90",
        registers=registers,
        spills=spills,
        shared_bytes=shared,
    )


def test_a_measured_kernel_has_the_interval_of_its_speedup() -> None:
    speed = _speed(_judged(performance=at_speed(2.0)), NAMED, Bottleneck.MEMORY)
    assert speed is not None
    assert speed.measured
    assert speed.factor == pytest.approx(2.0)
    assert math.exp(speed.low) == pytest.approx(1.96)
    assert math.exp(speed.high) == pytest.approx(2.04)


@pytest.mark.parametrize(
    "judged",
    [
        _judged(broken()),
        _judged(performance=Failed(case="a", reason=Reason.STALE, detail="kept")),
        _judged(performance=Unmeasured(reason=Reason.DISTURBED, detail="strangers")),
        _judged(performance=at_speed(2.0), composition=Composition.MIXED),
    ],
)
def test_what_failed_or_has_no_time_or_leans_on_torch_has_no_speed(judged: Evaluation) -> None:
    assert _speed(judged, NAMED, Bottleneck.MEMORY) is None


def test_without_a_clock_spills_and_crowding_count_and_nothing_is_called_a_time() -> None:
    lean = _speed(_judged(kernels=(_facts(32),)), NAMED, Bottleneck.MEMORY)
    fat = _speed(_judged(kernels=(_facts(255, spills=60),)), NAMED, Bottleneck.MEMORY)
    assert lean is not None and fat is not None
    assert not lean.measured
    assert fat.value < lean.value - 0.3
    assert _speed(_judged(kernels=()), NAMED, Bottleneck.UNKNOWN) is not None


def test_a_few_registers_more_are_no_difference() -> None:
    one = _speed(_judged(kernels=(_facts(32),)), NAMED, Bottleneck.MEMORY)
    other = _speed(_judged(kernels=(_facts(34),)), NAMED, Bottleneck.MEMORY)
    assert one == other


def test_shared_memory_and_warps_decide_how_many_fit() -> None:
    assert kernel_loss(_facts(32), {}) == 0.0
    assert kernel_loss(_facts(32, shared=200 << 10), {}) > kernel_loss(
        _facts(32, shared=200 << 10), {"_scale": 16}
    )
    assert kernel_loss(_facts(255, shared=1 << 30), {"_scale": 32}) > 0.0
