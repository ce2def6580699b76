"""Outcomes and times as a run holds them, drawn at random but of the right form."""

import math
import random

from msgspec.structs import replace

from kernelbenchx.core.error_map import LEVELS, ErrorMap
from kernelbenchx.core.outcome import (
    Broken,
    CaseResult,
    CaseState,
    Correct,
    Finding,
    Outcome,
    Reason,
    Rejected,
    Stage,
    Void,
    Worst,
    Wrong,
)
from kernelbenchx.core.performance import (
    Clock,
    Comparison,
    Efficiency,
    Failed,
    Gpu,
    Observation,
    Performance,
    SpeedClass,
    Speedup,
    Tier,
    Timed,
    TimedCase,
    Unmeasured,
)
from kernelbenchx.core.scopes import Scope

CASES = ("shape=(4096,),dtype=float32", "shape=(33554432,),dtype=float32")
BASELINES = ("eager", "compile")
_NAMED = "shape=({}, 513),dtype=float16,layout=transposed"
_WEAK: tuple[tuple[Scope, ...], ...] = (
    (),
    (Scope.LAYOUT,),
    (Scope.DTYPE,),
    (Scope.VALUES,),
    (Scope.DEGENERATE,),
)
"""What a kernel that fails may be weak in; the first is core."""
_NEEDS = (*_WEAK, *_WEAK, *_WEAK, *(3 * _WEAK[:1]), *(3 * ((Scope.LAYOUT, Scope.DTYPE),)))

_REJECTED = (
    ("kernels", 18, "the entry never launches a kernel of the file"),
    ("composition", 22, "torch.matmul computes"),
    ("imports", 2, "imports ctypes, which is not allowed"),
    ("entry", 14, "`out` must be positional argument 2"),
    ("authorship", 0, "the answers are right without the kernels"),
)
_BROKEN = (
    (Reason.COMPILE_ERROR, "CompilationError: at 9:12: incompatible types fp32 and int64", 6),
    (Reason.COMPILE_ERROR, "OutOfResources: shared memory, required 262144, limit 232448", 1),
    (Reason.NOT_COMPILED, "no compiled kernel for: _second", 1),
    (Reason.LOAD_ERROR, "ImportError: cannot import name 'libdevice' from 'triton'", 2),
    (Reason.RUNTIME_ERROR, "ValueError: Expected dtype ['fp32', 'fp64'] but got bf16", 3),
    (Reason.RUNTIME_ERROR, "RuntimeError: shape '[4, 16]' is invalid for input of size 63", 2),
    (Reason.RUNTIME_ERROR, "TypeError: _run() missing 1 required positional argument", 3),
    (Reason.OUT_OF_BOUNDS, "OutOfBounds: load outside the tensor: element 63 of x", 3),
    (Reason.NOT_INTERPRETABLE, "NotInterpretable: inline assembly", 1),
    (Reason.TIMEOUT, "not finished within the time limit (60.0 s)", 1),
    (Reason.CRASH, "killed by SIGSEGV", 1),
    (Reason.MEMORY, "held more memory than allowed", 1),
    (Reason.EXIT, "ended itself with exit code 1", 1),
)
_FAR = "17 of 4096 elements are further from the exact result than rounding explains"
_WRONG = (
    (Reason.BAD_VALUES, _FAR, "", 4),
    (Reason.BAD_VALUES, _FAR, "every element is wrong", 4),
    (
        Reason.BAD_VALUES,
        _FAR,
        "only in the tail after the last full block of 1024 (from element 3072 on)",
        4,
    ),
    (Reason.BAD_VALUES, _FAR, "every wrong element is off by the factor 0.5", 3),
    (Reason.BAD_VALUES, _FAR, "zero in every wrong element, as if never written", 2),
    (
        Reason.BAD_VALUES,
        "9 of 4096 elements are wrong, the worst is nan where a number is expected",
        "NaN in every wrong element",
        3,
    ),
    (Reason.BAD_SHAPE, "output has shape (4,), expected (4, 1)", "", 2),
    (Reason.BAD_DTYPE, "output has dtype torch.float32, expected torch.float16", "", 3),
    (Reason.BAD_STRUCTURE, "returned 1 values, expected 2", "", 1),
    (Reason.INPUT_CHANGED, "argument input was changed by the call", "", 1),
    (Reason.RACE, "the answer depends on the order of programs: _sum", "", 1),
)


def rejected(draw: random.Random) -> Outcome:
    """By one rule."""
    rule, line, why = draw.choice(_REJECTED)
    return Rejected(findings=(Finding(rule=rule, line=line, why=why),))


def broken(draw: random.Random) -> Outcome:
    """Where it stopped, in the words of whoever noticed."""
    reason, detail, _ = draw.choices(_BROKEN, [one[-1] for one in _BROKEN])[0]
    return Broken(
        stage=Stage.CALL, reason=reason, detail=detail, case=CASES[0], line=draw.randrange(9, 20)
    )


def wrong(draw: random.Random) -> Outcome:
    """With the element furthest off, where values are what is wrong."""
    reason, detail, pattern, _ = draw.choices(_WRONG, [one[-1] for one in _WRONG])[0]
    worst = None
    if reason is Reason.BAD_VALUES:
        lost = "NaN" in pattern
        worst = Worst(
            output="output",
            index=(draw.randrange(4096),),
            expected="0.5",
            got="nan" if lost else draw.choice(("0.25", "0.5004")),
            error=math.inf if lost else math.exp(draw.gauss(4, 3)) + 1,
            bad=draw.randrange(1, 4096),
            total=4096,
        )
    return Wrong(
        case=CASES[0],
        reason=reason,
        detail=detail,
        worst=worst,
        pattern=pattern,
        error_map=_picture(draw) if worst is not None else None,
    )


def _picture(draw: random.Random) -> ErrorMap:
    """Wrong in some lines, as large as maps become."""
    rows = []
    for _ in range(32):
        wrong = draw.random() < 0.3
        rows.append("".join(draw.choices(LEVELS[10:20] if wrong else LEVELS[:8], k=32)))
    cells = "".join(rows)
    pairs = zip(cells, draw.choices("123456789", k=len(cells)), strict=True)
    shares = "".join(["0" if letter < "9" else share for letter, share in pairs])
    return ErrorMap(shape=(64, 64), lines=(64, 64), steps=(2, 2), cells=cells, wrong=shares)


def case_results(draw: random.Random, outcome: Outcome) -> tuple[CaseResult, ...]:
    """As many, with names as long, as those of the real tasks; the first tells the outcome."""
    if not isinstance(outcome, Broken | Wrong | Correct):
        return ()
    cases = [
        CaseResult(
            _NAMED.format(2**n), CaseState.PASSED, round(draw.random(), 3), "", needs, n % 4 == 0
        )
        for n, needs in enumerate(_NEEDS)
    ]
    if isinstance(outcome, Correct):
        return tuple(cases)
    weak = draw.choices(_WEAK, (4, 5, 3, 2, 1))[0]
    first, *others = sorted(cases, key=lambda one: one.needs != weak)
    failed = [one for one in others if one.needs and set(weak) <= set(one.needs)]
    if isinstance(outcome, Broken):
        said, state, error = f"{outcome.reason.value}: {outcome.detail}", CaseState.BROKEN, None
    else:
        said = f"{outcome.reason.value}: {outcome.pattern or outcome.detail}"
        state, error = CaseState.WRONG, outcome.worst.error if outcome.worst else None
    told = replace(first, case=CASES[0], state=state, error=error, detail=said[:160])
    rest = (
        replace(one, state=state, error=error, detail=said[:160]) if one in failed else one
        for one in others
    )
    return (told, *rest)


def correct(draw: random.Random) -> Outcome:
    """With how much of its budget it used."""
    return Correct(cases=21, worst=round(draw.random(), 4))


def void() -> Outcome:
    """Nobody's fault but the evaluator's."""
    return Void(reason=Reason.EVALUATOR, detail="the warm worker process ended")


def performance(draw: random.Random, gpu: str, speedup: float) -> Performance:
    """Nearly always timed; `speedup` is over eager."""
    luck = draw.random()
    if luck < 0.02:
        return Failed(case=CASES[1], reason=Reason.TIMED_WRONG, detail="other values when timed")
    if luck < 0.03:
        return Unmeasured(reason=Reason.DISTURBED, detail="a stranger on the card", case=CASES[1])
    tier = Tier.HOST_TIMED if luck < 0.15 else Tier.REPLAY
    score = min(0.97, 0.55 * speedup)
    over = {"eager": speedup, "compile": speedup * draw.uniform(0.6, 1.0)}
    cases = tuple(_case(draw, name, over, tier, score) for name in CASES)
    return Timed(
        tier=tier,
        cases=cases,
        speedups=tuple(
            Speedup(
                baseline=name,
                speedup=over[name],
                low=low,
                high=high,
                speed_class=_speed_class(low, high),
            )
            for name in BASELINES
            for low, high in [(0.99 * over[name], 1.01 * over[name])]
        ),
        gpu=Gpu(
            name=gpu,
            uuid="GPU-" + gpu.rpartition(" ")[2],
            bandwidth_gb_per_s=4200.0,
            tflops={"fp32": 50.0, "tf32": 380.0, "fp16": 760.0},
            l2_bytes=50 << 20,
        ),
        before=Observation(sm_mhz=1980, memory_mhz=3201, temperature_c=41, power_w=310.0),
        after=Observation(sm_mhz=1965, memory_mhz=3201, temperature_c=45, power_w=330.0),
        not_replayed="its grid depends on a value" if tier is Tier.HOST_TIMED else "",
        seconds=1.5,
    )


def _case(
    draw: random.Random, name: str, over: dict[str, float], tier: Tier, score: float
) -> TimedCase:
    small = name == CASES[0]
    eager_us = 6.0 if small else 180.0
    candidate_us = eager_us / over["eager"]
    share = score * (0.1 if small else 1.0)
    compared = tuple(
        _compared(draw, candidate_us + (4.0 if clock is Clock.CALL else 0.0), baseline, clock, tier)
        for baseline in (("eager", over["eager"]), ("compile", over["compile"]))
        for clock in Clock
    )
    return TimedCase(
        case=name,
        overhead_bound=small,
        comparisons=compared,
        efficiency=Efficiency(
            gb_per_s=4200.0 * share,
            tflops=0.5 * share,
            iou=share,
            mfu=0.01 * share,
            score=share,
            roofline_us=candidate_us * share,
        ),
        judged_outputs=8,
    )


def _compared(
    draw: random.Random, candidate_us: float, baseline: tuple[str, float], clock: Clock, tier: Tier
) -> Comparison:
    name, over = baseline
    speedup = over * math.exp(draw.gauss(0, 0.02))
    low, high = 0.985 * speedup, 1.015 * speedup
    return Comparison(
        baseline=name,
        clock=clock,
        tier=tier if clock is Clock.DEVICE else Tier.HOST_TIMED,
        candidate_us=candidate_us,
        baseline_us=candidate_us * speedup,
        speedup=speedup,
        low=low,
        high=high,
        speed_class=_speed_class(low, high),
    )


def _speed_class(low: float, high: float) -> SpeedClass:
    """As verdicts are: a difference below one percent is not worth a claim."""
    if low > 1.01:
        return SpeedClass.FASTER
    if high < 0.99:
        return SpeedClass.SLOWER
    return SpeedClass.TIE if low >= 0.99 and high <= 1.01 else SpeedClass.UNDECIDED
