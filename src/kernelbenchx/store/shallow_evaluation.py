"""An evaluation read only as deep as the analysis needs: the rest of its text is skipped."""

import msgspec

from kernelbenchx.core.settings import OURS


class ShallowOrigin(msgspec.Struct, frozen=True, gc=False):
    """The author of a submission."""

    model: str = ""
    method: str = ""
    round: str = ""
    sample: int = 0
    parent: str = ""
    step: str = ""


class Machine(msgspec.Struct, frozen=True, gc=False):
    """The machine that ran it."""

    gpu: str = ""
    machine: str = ""
    torch: str = ""
    triton: str = ""
    python: str = ""
    harness: str = ""


class ShallowIsolation(msgspec.Struct, frozen=True, gc=False):
    """The isolation of the submission."""

    missing: tuple[str, ...] = ()


class ShallowWorst(msgspec.Struct, frozen=True, gc=False):
    """The element furthest off, of a wrong answer."""

    expected: str
    got: str


class ShallowFinding(msgspec.Struct, frozen=True, gc=False):
    """What a rule says of a source."""

    why: str = ""
    fatal: bool = True


class ShallowOutcome(msgspec.Struct, frozen=True, gc=False):
    """The outcome in words."""

    detail: str = ""
    findings: tuple[ShallowFinding, ...] = ()
    pattern: str = ""
    worst: ShallowWorst | float | None = None
    """Where a right answer was worst, it is only a number."""

    @property
    def words(self) -> str:
        """The detail, or what the first rule says that rejects; its name is the reason."""
        return self.detail or next((one.why for one in self.findings if one.fatal), "")


class ShallowSpeedup(msgspec.Struct, frozen=True, gc=False):
    """A speedup of a task over one baseline."""

    baseline: str
    speedup: float
    low: float
    high: float
    speed_class: str


class ShallowEfficiency(msgspec.Struct, frozen=True, gc=False):
    """Shares of the peak of the GPU."""

    iou: float
    mfu: float
    score: float
    iou_spec: float | None = None
    mfu_spec: float | None = None


class ShallowComparison(msgspec.Struct, frozen=True, gc=False):
    """A case against one baseline by one clock."""

    baseline: str
    clock: str
    candidate_us: float
    baseline_us: float


class ShallowLeftOut(msgspec.Struct, frozen=True, gc=False):
    """A timing case without a time."""

    case: str


class ShallowKernelBenchX(msgspec.Struct, frozen=True, gc=False):
    """What KernelBench-X's own rule says."""

    called: bool | None = None
    correct: bool | None = None
    key: str = ""
    tolerance: str = ""
    detail: str = ""
    provisional: bool = False
    infeasible: str = ""


class ShallowKernelBench(msgspec.Struct, frozen=True, gc=False):
    """What KernelBench's own rule says."""

    passes_1e_2: bool | None = None
    passes_1e_4: bool | None = None
    detail: str = ""


class ShallowRules(msgspec.Struct, frozen=True, gc=False):
    """The rule of the paper that published the task."""

    kernelbenchx: ShallowKernelBenchX | None = None
    kernelbench: ShallowKernelBench | None = None


class ShallowCase(msgspec.Struct, frozen=True, gc=False):
    """A timing case."""

    case: str
    overhead_bound: bool
    efficiency: ShallowEfficiency
    comparisons: tuple[ShallowComparison, ...] = ()


class Times(msgspec.Struct, frozen=True, gc=False):
    """A performance."""

    kind: str
    reason: str = ""
    detail: str = ""
    """Why there are no times, where there are none."""
    tier: str = ""
    speedups: tuple[ShallowSpeedup, ...] = ()
    cases: tuple[ShallowCase, ...] = ()
    left_out: tuple[ShallowLeftOut, ...] = ()


class CheckCase(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A check case; the parts that are skipped keep the places of the others."""

    case: msgspec.Raw
    state: str
    error: msgspec.Raw = msgspec.Raw()
    detail: msgspec.Raw = msgspec.Raw()
    needs: msgspec.Raw = msgspec.Raw()
    trivial: msgspec.Raw = msgspec.Raw()
    corner: bool = False


class ShallowEvaluation(msgspec.Struct, frozen=True, gc=False):
    """What is needed of a record."""

    origin: ShallowOrigin
    environment: Machine
    isolation: ShallowIsolation
    checks: bool
    outcome: ShallowOutcome
    sizes: str = OURS
    performance: Times | None = None
    core_performance: Times | None = None
    basic_performance: Times | None = None
    rules: ShallowRules | None = None
    seed: int = 0
    weights: str = ""
    cases: tuple[CheckCase, ...] = ()

    @property
    def corners(self) -> bool | None:
        """Whether every corner passed; None where none is known."""
        own = [one.state == "passed" for one in self.cases if one.corner]
        return all(own) if own else None


_DECODER = msgspec.json.Decoder(ShallowEvaluation, strict=False)


def decode_shallow(record: str) -> ShallowEvaluation:
    """Raises `msgspec.DecodeError` where the text is no evaluation."""
    return _DECODER.decode(record)
