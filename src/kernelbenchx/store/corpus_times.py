"""Times of the public corpus: one total over all sizes of a task, without an interval."""

from typing import Protocol

from kernelbenchx.catalog.published_times import ALL_SIZES
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import (
    Clock,
    Comparison,
    Efficiency,
    Gpu,
    Observation,
    SpeedClass,
    Speedup,
    Tier,
    Timed,
    TimedCase,
    Unmeasured,
)

BANDWIDTH = 1792.0
"""GB/s of the data sheet; with it the scores that the paper prints come out."""
TFLOPS = {"float16": 209.5, "bfloat16": 209.5}
TFLOPS_FP32 = 104.8
_FLAG = "one total over all published sizes; no interval is published; peaks of the data sheet"


class CorpusNumbers(Protocol):
    """Numbers of a kernel."""

    @property
    def dtype(self) -> str: ...

    @property
    def runtime_ms(self) -> float | None: ...

    @property
    def gbs(self) -> float | None: ...

    @property
    def tflops(self) -> float | None: ...

    @property
    def speedup(self) -> float | None: ...


def times_of(state: CorpusNumbers, gpu: str) -> Timed | Unmeasured:
    """As a performance with a single case; unmeasured where no time was published."""
    if state.runtime_ms is None or state.speedup is None or state.speedup <= 0:
        return Unmeasured(reason=Reason.EVALUATOR, detail="no time is published")
    over = Speedup(
        baseline="eager",
        speedup=state.speedup,
        low=state.speedup,
        high=state.speedup,
        speed_class=SpeedClass.UNDECIDED,
    )
    compared = Comparison(
        baseline="eager",
        clock=Clock.DEVICE,
        tier=Tier.HOST_TIMED,
        candidate_us=1000 * state.runtime_ms,
        baseline_us=1000 * state.runtime_ms * state.speedup,
        speedup=over.speedup,
        low=over.low,
        high=over.high,
        speed_class=over.speed_class,
    )
    case = TimedCase(
        case=ALL_SIZES,
        overhead_bound=False,
        comparisons=(compared,),
        efficiency=_efficiency(state),
        judged_outputs=0,
        flags=(_FLAG,),
    )
    return Timed(
        tier=Tier.HOST_TIMED,
        cases=(case,),
        speedups=(over,),
        gpu=Gpu(name=gpu, bandwidth_gb_per_s=BANDWIDTH),
        before=Observation(),
        after=Observation(),
        flags=(_FLAG,),
    )


def _efficiency(state: CorpusNumbers) -> Efficiency:
    iou = (state.gbs or 0.0) / BANDWIDTH
    mfu = (state.tflops or 0.0) / TFLOPS.get(state.dtype, TFLOPS_FP32)
    score = max(iou, mfu)
    return Efficiency(
        gb_per_s=state.gbs or 0.0,
        tflops=state.tflops or 0.0,
        iou=iou,
        mfu=mfu,
        score=score,
        iou_spec=iou,
        mfu_spec=mfu,
        score_spec=score,
    )
