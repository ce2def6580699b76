"""How fast a correct submission is: every number with its clock, its tier and its interval."""

from enum import StrEnum

import msgspec

from kernelbenchx.core.huge import HugeResult
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.record import Record


class Clock(StrEnum):
    """What a time measures."""

    DEVICE = "device"
    """Device time: how long the GPU works."""
    CALL = "call"
    """Call time: how long a caller waits, including the launch by the host."""


class Tier(StrEnum):
    """How a number was obtained."""

    REPLAY = "replay"
    """Compiled kernels launched by a trusted process, without any Python of the submission."""
    HOST_TIMED = "host_timed"
    """The judge's host clock around the submission's process, from inputs to outputs."""

    @property
    def label(self) -> str:
        """For people: `replay` or `host-timed`."""
        return self.value.replace("_", "-")


class SpeedClass(StrEnum):
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
    speed_class: SpeedClass
    samples: tuple[Sample, ...] = ()


class Efficiency(Record, frozen=True, kw_only=True):
    """How close a time comes to the roofline of the GPU."""

    gb_per_s: float
    tflops: float
    iou: float
    """Bandwidth as a share of what was measured on this GPU."""
    mfu: float
    """Arithmetic rate as a share of what was measured on this GPU."""
    score: float
    """The larger of both."""
    iou_spec: float | None = None
    mfu_spec: float | None = None
    score_spec: float | None = None
    """The same against the data sheet, where the GPU has one."""
    roofline_us: float = 0.0
    """No kernel can be faster on this GPU: the basis of the plausibility check."""


COMPILED_NOTHING = "torch compiled nothing"
"""So a flag begins where it did."""
FELL_BACK = f"{COMPILED_NOTHING} of its own: library calls behind torch.compile's wrapper"
COMPILED_WRONG = "torch.compile's answer is wrong"
WAITS = "the GPU may wait for the host within calls"
"""Flags of a case, the second with more behind it."""


class KernelShare(Record, frozen=True, kw_only=True):
    """The share of one kernel in the time of a call that launches several."""

    name: str
    """`copy` and `fill` are torch's."""
    launches: int
    share: float
    """By events between launches, which make very short ones look a little longer."""


class TimedCase(Record, frozen=True, kw_only=True):
    """One timing case of one submission."""

    case: str
    overhead_bound: bool
    """The GPU works for too short a time, or waits for the host: not a statement about kernels."""
    comparisons: tuple[Comparison, ...]
    efficiency: Efficiency
    judged_outputs: int
    """How many outputs of timed calls were compared with the truth."""
    flags: tuple[str, ...] = ()
    waits_for_host: bool = False
    """The GPU may wait for the host within calls, and how fast a host is differs between runs."""
    kernel_shares: tuple[KernelShare, ...] = ()
    """The largest first; only of calls that were replayed and launch more than once."""

    def find_comparison(self, baseline: str, clock: Clock) -> Comparison | None:
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
    speed_class: SpeedClass


class Observation(Record, frozen=True, kw_only=True):
    """State of the GPU before or after a measurement."""

    sm_mhz: int | None = None
    memory_mhz: int | None = None
    temperature_c: int | None = None
    power_w: float | None = None
    throttled: tuple[str, ...] = ()
    """Reasons that the driver gives for lower clocks."""
    other_processes: int | None = None
    """Processes on the GPU that kbx did not start."""


class Gpu(Record, frozen=True, kw_only=True):
    """The GPU and its measured peaks."""

    name: str
    uuid: str = ""
    bandwidth_gb_per_s: float = 0.0
    tflops: dict[str, float] = msgspec.field(default_factory=dict)
    """By rate: fp64, fp32, tf32, fp16, bf16, int8."""
    l2_bytes: int = 0


class LeftOut(Record, frozen=True, kw_only=True):
    """A timing case without a time: it is not core, or the GPU cannot time it."""

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
    gpu: Gpu
    before: Observation
    after: Observation
    not_replayed: str = ""
    """Why the kernels could not be replayed, if they were host-timed."""
    seconds: float = 0.0
    flags: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    """Timing cases without times: of submissions that are not correct, or published sizes that the
    GPU cannot time."""
    huge: HugeResult | None = None
    """The call beyond 2^31 elements."""

    def find_speedup(self, baseline: str = "eager") -> Speedup | None:
        """Over one baseline, if it was measured."""
        return next((one for one in self.speedups if one.baseline == baseline), None)


class Failed(Record, frozen=True, kw_only=True, tag_field="kind", tag="failed"):
    """A timed case failed: the submission is not correct at that size, and has no speed."""

    case: str
    reason: Reason
    detail: str
    trick: str = ""
    """Its name, if the failure has one: answers kept from an earlier call."""
    process: str = ""
    """Where it happened: in the submission's own process, or in one that replays."""
    cases: tuple[TimedCase, ...] = ()
    """What was measured before, with its samples; it does not count."""
    before: Observation | None = None
    after: Observation | None = None
    huge: HugeResult | None = None
    """The call beyond 2^31 elements, where that is what failed."""


class Unmeasured(Record, frozen=True, kw_only=True, tag_field="kind", tag="unmeasured"):
    """No time that could be trusted, by no fault of the submission: never scored."""

    reason: Reason
    detail: str
    case: str = ""
    cases: tuple[TimedCase, ...] = ()
    """What was measured nevertheless, with its samples; it does not count."""
    before: Observation | None = None
    after: Observation | None = None


Performance = Timed | Failed | Unmeasured


class ReferenceCompilation(Record, frozen=True, kw_only=True):
    """Cost of compiling the reference of a task, before anything was timed against it."""

    task: str
    seconds: float
    """CPU seconds, besides the rest of the run."""
    cases: int
    fell_back: bool
    """torch compiled no kernel of its own: the baseline is library calls behind its wrapper."""
    error: str = ""
    kept: bool = False
    """From an earlier run on this machine: it took no time now."""
