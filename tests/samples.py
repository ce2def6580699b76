"""Small records that several tests need."""

import msgspec

from kernelbenchx.core.environment import Environment, Isolation
from kernelbenchx.core.evaluation import Evaluation, KernelFacts
from kernelbenchx.core.outcome import CaseResult, Composition, Correct, Outcome, Stage
from kernelbenchx.core.performance import (
    Clock,
    Comparison,
    Efficiency,
    Gpu,
    Observation,
    Performance,
    Sample,
    SpeedClass,
    Speedup,
    Tier,
    Timed,
    TimedCase,
)
from kernelbenchx.core.submission import Origin

LARGE = "shape=(67108864,),dtype=float32"
SMALL = "shape=(64,),dtype=float32"


def evaluation(
    name: str = "one",
    outcome: Outcome | None = None,
    performance: Performance | None = None,
    cases: tuple[CaseResult, ...] = (),
) -> Evaluation:
    return Evaluation(
        submission=name,
        task="activation/relu",
        digest="d" * 64,
        origin=Origin(),
        outcome=outcome or Correct(cases=4, worst=0.5),
        composition=Composition.PURE,
        stage=Stage.EXE,
        provisional=True,
        device="interpreter",
        isolation=Isolation(level="L3"),
        checks=True,
        seed=5,
        seconds=0.25,
        environment=Environment(
            harness="0", python="3.11", torch="2.13", triton="3.7.1", machine="here"
        ),
        performance=performance,
        cases=cases,
    )


def on_a_card(one: Evaluation) -> Evaluation:
    """The same as a card would have given it."""
    here = msgspec.structs.replace(one.environment, gpu="NVIDIA H200")
    kernel = KernelFacts(name="_relu", ok=True, target="sm_90", registers=32)
    return msgspec.structs.replace(
        one,
        environment=here,
        device="cuda",
        provisional=False,
        stage=Stage.PERF,
        kernels=(kernel,),
    )


def comparison(
    speedup: float, baseline: str = "eager", clock: Clock = Clock.DEVICE, tier: Tier = Tier.REPLAY
) -> Comparison:
    """A candidate that takes 100 us, in two blocks of two pairs."""
    samples = tuple(
        Sample(pair=pair, block=block, candidate_us=100.0, baseline_us=100.0 * speedup)
        for block in range(2)
        for pair in range(2)
    )
    return Comparison(
        baseline=baseline,
        clock=clock,
        tier=tier,
        candidate_us=100.0,
        baseline_us=100.0 * speedup,
        speedup=speedup,
        low=0.98 * speedup,
        high=1.02 * speedup,
        speed_class=speed_class(speedup),
        samples=samples,
    )


def speed_class(speedup: float) -> SpeedClass:
    if speedup == 1.0:
        return SpeedClass.UNDECIDED
    return SpeedClass.FASTER if speedup > 1.0 else SpeedClass.SLOWER


def timed_case(
    speedup: float,
    name: str = LARGE,
    *,
    baselines: tuple[str, ...] = ("eager",),
    tier: Tier = Tier.REPLAY,
) -> TimedCase:
    """Both clocks for each baseline."""
    compared = tuple(
        comparison(speedup, baseline, clock, tier if clock is Clock.DEVICE else Tier.HOST_TIMED)
        for baseline in baselines
        for clock in Clock
    )
    return TimedCase(
        case=name,
        overhead_bound=name == SMALL,
        comparisons=compared,
        efficiency=Efficiency(
            gb_per_s=3600.0,
            tflops=0.45,
            iou=0.8,
            mfu=0.01,
            score=0.8,
            iou_spec=0.75,
            mfu_spec=0.009,
            score_spec=0.75,
            roofline_us=80.0,
        ),
        judged_outputs=8,
        flags=("card throttled",) if name == SMALL else (),
    )


def timed(
    speedup: float = 1.25,
    *,
    baselines: tuple[str, ...] = ("eager",),
    tier: Tier = Tier.REPLAY,
    cases: tuple[str, ...] = (LARGE, SMALL),
) -> Timed:
    """A kernel as fast on every case."""
    return Timed(
        tier=tier,
        cases=tuple(timed_case(speedup, name, baselines=baselines, tier=tier) for name in cases),
        speedups=tuple(
            Speedup(
                baseline=baseline,
                speedup=speedup,
                low=0.98 * speedup,
                high=1.02 * speedup,
                speed_class=speed_class(speedup),
            )
            for baseline in baselines
        ),
        gpu=Gpu(
            name="NVIDIA H200",
            uuid="GPU-1",
            bandwidth_gb_per_s=4500.0,
            tflops={"fp32": 50.0, "bf16": 800.0},
            l2_bytes=60 << 20,
        ),
        before=Observation(sm_mhz=1980, memory_mhz=3201, temperature_c=41, power_w=310.0),
        after=Observation(
            sm_mhz=1965, temperature_c=45, throttled=("power cap",), other_processes=1
        ),
        not_replayed="its grid depends on a value" if tier is Tier.HOST_TIMED else "",
        seconds=1.5,
    )
