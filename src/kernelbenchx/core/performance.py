"""How fast a correct submission is: every number with its clock, its tier and its interval."""

from enum import StrEnum

import msgspec

from kernelbenchx.core.huge import HugeResult
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.record import Record


class Clock(StrEnum):
    """What a time says."""

    DEVICE = "device"
    """How long the card works."""
    CALL = "call"
    """How long a caller waits, the launch by the host included."""


class Tier(StrEnum):
    """How a number was obtained."""

    REPLAY = "replay"
    """Compiled kernels launched by a trusted process, without a line of the submission's Python."""
    WALL = "wall"
    """The judge's own clock around the submission's process, from inputs to outputs."""


class Pace(StrEnum):
    """What an interval says about a speedup."""

    FASTER = "faster"
    SLOWER = "slower"
    TIE = "tie"
    """The whole interval lies within one percent of 1."""
    UNDECIDED = "undecided"


class Sample(Record, frozen=True, kw_only=True):
    """One block of one pair of processes: the mean time of a call on both sides."""

    pair: int
    block: int
    candidate_us: float
    baseline_us: float


class Comparison(Record, frozen=True, kw_only=True):
    """A candidate against one baseline by one clock."""

    baseline: str
    """`eager` or `compile`."""
    clock: Clock
    tier: Tier
    candidate_us: float
    baseline_us: float
    speedup: float
    low: float
    high: float
    """Ends of the interval of the speedup, corrected for the looks that were taken."""
    pace: Pace
    samples: tuple[Sample, ...] = ()


class Efficiency(Record, frozen=True, kw_only=True):
    """How far from the limits of the card."""

    gb_per_s: float
    tflops: float
    iou: float
    """Bandwidth as a share of what was measured on this card."""
    mfu: float
    """Arithmetic rate as a share of what was measured on this card."""
    score: float
    """The larger of both."""
    iou_spec: float | None = None
    mfu_spec: float | None = None
    score_spec: float | None = None
    """The same against the data sheet, where the card has one."""
    limit_us: float = 0.0
    """No kernel can be faster on this card: the basis of the plausibility check."""


COMPILED_NOTHING = "torch compiled nothing"
"""So a flag begins where it did; older runs go on otherwise than newer ones."""
FELL_BACK = f"{COMPILED_NOTHING} of its own: library calls behind torch.compile's wrapper"
COMPILED_WRONG = "torch.compile's answer is wrong"
WAITS = "the card may wait for the host within calls"
"""Flags of a case, the second with more behind it."""


class Part(Record, frozen=True, kw_only=True):
    """What one kernel takes of the time of a call with several."""

    name: str
    """`copy` and `fill` are torch's."""
    launches: int
    share: float
    """By events between launches, which make very short ones look a little longer."""


class TimedCase(Record, frozen=True, kw_only=True):
    """One timing case of one submission."""

    case: str
    overhead_bound: bool
    """The card works for too short a time, or waits for the host: not a statement about kernels."""
    comparisons: tuple[Comparison, ...]
    efficiency: Efficiency
    judged: int
    """How many outputs of timed calls were compared with the truth."""
    flags: tuple[str, ...] = ()
    waits: bool = False
    """The card may wait for the host within calls, and how fast a host is differs between runs."""
    parts: tuple[Part, ...] = ()
    """The largest first; only of calls that were replayed and launch more than once."""

    def comparison(self, baseline: str, clock: Clock) -> Comparison | None:
        """The comparison with a baseline by a clock, if it was made."""
        for one in self.comparisons:
            if one.baseline == baseline and one.clock is clock:
                return one
        return None


class Speedup(Record, frozen=True, kw_only=True):
    """Geometric mean over the cases of a task, by device time."""

    baseline: str
    speedup: float
    low: float
    high: float
    pace: Pace


class Observation(Record, frozen=True, kw_only=True):
    """What the card said of itself while it was measured."""

    sm_mhz: int | None = None
    memory_mhz: int | None = None
    temperature_c: int | None = None
    power_w: float | None = None
    throttled: tuple[str, ...] = ()
    """Reasons that the card gave for lower clocks."""
    strangers: int | None = None
    """Processes on the card that are not ours."""


class Card(Record, frozen=True, kw_only=True):
    """The card and its measured peaks."""

    name: str
    uuid: str = ""
    bandwidth_gb_per_s: float = 0.0
    tflops: dict[str, float] = msgspec.field(default_factory=dict)
    """By rate: fp64, fp32, tf32, fp16, bf16, int8."""
    l2_bytes: int = 0


class LeftOut(Record, frozen=True, kw_only=True):
    """A timing case that says nothing about a submission that is core correct."""

    case: str
    why: str
    """`needs layout`, or how it failed."""
    process: str = ""
    """Where it failed; empty where it was not tried."""


class Timed(Record, frozen=True, kw_only=True, tag_field="kind", tag="timed"):
    """Every timing case measured and its outputs judged."""

    tier: Tier
    """The weakest tier of its cases."""
    cases: tuple[TimedCase, ...]
    speedups: tuple[Speedup, ...]
    card: Card
    before: Observation
    after: Observation
    not_replayed: str = ""
    """Why the wall clock had to do, where it did."""
    seconds: float = 0.0
    flags: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    """Timing cases without times; only of submissions that are not correct."""
    huge: HugeResult | None = None
    """The call beyond 2^31 elements; runs of older versions have none."""

    def speedup(self, baseline: str = "eager") -> Speedup | None:
        """Over one baseline, if it was measured."""
        return next((one for one in self.speedups if one.baseline == baseline), None)


class Failed(Record, frozen=True, kw_only=True, tag_field="kind", tag="failed"):
    """A timed case failed: the submission is not correct at that size, and has no speed."""

    case: str
    reason: Reason
    detail: str
    trick: str = ""
    """What it looks like, where the failure has a name: answers kept from an earlier call."""
    process: str = ""
    """Where it happened: in the submission's own process, or in one that replays."""
    cases: tuple[TimedCase, ...] = ()
    """What was measured until then, with its samples; it counts for nothing."""
    before: Observation | None = None
    after: Observation | None = None
    huge: HugeResult | None = None
    """The call beyond 2^31 elements, where that is what failed."""


class Unmeasured(Record, frozen=True, kw_only=True, tag_field="kind", tag="unmeasured"):
    """No time that could be trusted, and not by the submission's fault: never scored."""

    reason: Reason
    detail: str
    case: str = ""
    cases: tuple[TimedCase, ...] = ()
    """What was measured all the same, with its samples; it counts for nothing."""
    before: Observation | None = None
    after: Observation | None = None


Performance = Timed | Failed | Unmeasured


class Compiled(Record, frozen=True, kw_only=True):
    """What it took to compile the reference of a task, before anything was timed against it."""

    task: str
    seconds: float
    """Of processors, beside the rest of the run."""
    cases: int
    fell_back: bool
    """torch compiled no kernel of its own: the baseline is library calls behind its wrapper."""
    error: str = ""
    kept: bool = False
    """From an earlier run on this machine: it took nothing now."""
