"""Performances made up for tests: one case, one baseline, the numbers that matter."""

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
)


def comparison(
    clock: Clock = Clock.DEVICE,
    *,
    speedup: float = 1.0,
    candidate_us: float = 100.0,
    tier: Tier = Tier.REPLAY,
) -> Comparison:
    return Comparison(
        baseline="eager",
        clock=clock,
        tier=tier,
        candidate_us=candidate_us,
        baseline_us=candidate_us * speedup,
        speedup=speedup,
        low=speedup,
        high=speedup,
        speed_class=SpeedClass.UNDECIDED,
    )


def timed(*comparisons: Comparison, case: str = "large", overhead_bound: bool = False) -> Timed:
    found = comparisons or (comparison(),)
    return Timed(
        tier=Tier.REPLAY,
        cases=(
            TimedCase(
                case=case,
                overhead_bound=overhead_bound,
                comparisons=found,
                efficiency=Efficiency(gb_per_s=0.0, tflops=0.0, iou=0.0, mfu=0.0, score=0.0),
                judged_outputs=1,
            ),
        ),
        speedups=(
            Speedup(
                baseline="eager",
                speedup=found[0].speedup,
                low=found[0].low,
                high=found[0].high,
                speed_class=SpeedClass.UNDECIDED,
            ),
        ),
        gpu=Gpu(name=""),
        before=Observation(),
        after=Observation(),
    )
