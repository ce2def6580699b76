"""One evaluation as the analysis sees it: flat, without sources, raw samples or torch."""

import msgspec

from kernelbenchx.core.grades import Grade
from kernelbenchx.core.scale import FAILED_AT_SCALE
from kernelbenchx.core.scopes import ScopeCount
from kernelbenchx.core.settings import OURS, PUBLISHED
from kernelbenchx.core.standards import Standard
from kernelbenchx.core.submission import HANDED_IN

_AT_SIZES = ", {} sizes"


def place_of(gpu: str, sizes: str) -> str:
    """The GPU, with the set of timed sizes where it is not the task's own."""
    return gpu if sizes == OURS or not gpu else gpu + _AT_SIZES.format(sizes)


def at_published_sizes(place: str) -> bool:
    """Whether the set of timed sizes is the published one."""
    return place != gpu_name(place)


def gpu_name(place: str) -> str:
    """The GPU alone."""
    return place.removesuffix(_AT_SIZES.format(PUBLISHED))


class Speed(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """How fast a correct attempt is, against one baseline, by the device clock."""

    speedup: float
    low: float
    high: float
    """Ends of the interval of the measurement."""
    speed_class: str
    """`faster`, `slower`, `tie` or `undecided`."""


class CaseTime(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One timing case of an attempt beside eager, by the device clock."""

    case: str
    candidate_us: float
    eager_us: float
    iou: float = 0.0
    mfu: float = 0.0
    """Against the data sheet of the GPU where it has one, else against measured peaks."""


class OwnTimes(msgspec.Struct, frozen=True, gc=False):
    """The times of an attempt on the cases of the strictest standard that it meets."""

    performance: str = ""
    eager: Speed | None = None
    compiled: Speed | None = None
    case_times: tuple[CaseTime, ...] = ()
    left_out: tuple[str, ...] = ()


class FeedbackResult(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a method learned about its kernel, on other calls than those of the verdict."""

    correct: bool
    called: bool
    pure: bool
    speedup: float | None = None
    """Over eager, where the feedback held times that can be trusted."""


class Attempt(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A submission for a task and its result."""

    run: str
    key: str
    content_key: str = ""
    """Attempts of one run with the same one were judged once."""
    submission: str
    task: str
    """`category/name`."""
    category: str
    """As people read it: `Math`, `LinearAlgebra`."""
    method: str
    model: str
    reasoning: str = ""
    """Whether the model's replies hold reasoning, `yes` or `no`; empty where no reply is kept."""
    round: int
    """0 where the submission names none."""
    sample: int
    """Which of several independent attempts; 0 where there is one."""
    step: str = ""
    """Where in a method it was written; only what `kbx generate` asked for has one."""
    parent: str = ""
    """The name of the submission it was made from, where that is known."""
    digest: str
    """Of the source: equal code has an equal digest."""
    difficulty: int
    """1 to 5; 0 where unknown."""
    dtypes: tuple[str, ...]
    device: str
    """`interpreter` or `cuda`."""
    gpu: str
    """As `place_of` says: at other sizes it is another place, and times are never pooled."""
    outcome: str
    """`rejected`, `broken`, `wrong`, `correct`, `reached` or `void`."""
    reason: str
    """Of `core.outcome.Reason`, or the first rule that rejected; empty where it is correct."""
    stage: str
    """The last that was entered: `check`, `call`, `exe` or `perf`."""
    composition: str
    provisional: bool
    isolation: str
    grade: Grade
    """Of the task's certificate."""
    performance: str = ""
    """`timed`, `failed`, `unmeasured`; empty where times were not requested."""
    tier: str = ""
    eager: Speed | None = None
    compiled: Speed | None = None
    measured_again: tuple[tuple[str, Speed], ...] = ()
    """Over eager, in later runs that hold the same evaluation with other inputs, with their run."""
    case_times: tuple[CaseTime, ...] = ()
    """Each case of a timed attempt that was compared with eager."""
    left_out: tuple[str, ...] = ()
    """Timing cases without a time, by name."""
    mean_ms: tuple[float, float] | None = None
    """Of a KernelBench problem: its mean time and eager's over all samples, as KernelBench keeps
    them, to three digits."""
    core_performance: str = ""
    """The same of an attempt that is core correct and not correct, timed on core cases alone."""
    core_eager: Speed | None = None
    core_compiled: Speed | None = None
    core_case_times: tuple[CaseTime, ...] = ()
    core_left_out: tuple[str, ...] = ()
    basic_performance: str = ""
    """The same of one that is basic and not core correct, on such cases in the first dtype."""
    basic_eager: Speed | None = None
    basic_compiled: Speed | None = None
    standard: Standard = Standard.STRICT
    """By which it counts as correct, and for which times are taken (`apply_standard.py`)."""
    stricter: OwnTimes | None = None
    """Times that were taken for a stricter standard than this one."""
    fails_timed: bool = False
    """A timed call failed by the strictest standard, whatever this one is."""
    score: float | None = None
    """max(IOU, MFU) against measured peaks, as the evaluation defines it."""
    iou: float | None = None
    mfu: float | None = None
    pattern: str = ""
    """The pattern that the judge found in a wrong answer."""
    detail: str = ""
    """The message of a failure; for a rejected attempt, that of the first rule that rejects it."""
    deviation: float | None = None
    """How far the worst element is off, as a share of what it should be; None where unknown."""

    basic: bool | None = None
    """Every core case in the task's first dtype passed; None where it was not judged."""
    core: bool | None = None
    """Every core case passed; None where it was not judged."""
    scopes: tuple[ScopeCount, ...] = ()
    """Cases by scope and dtype; empty where none was judged."""

    corners: bool | None = None
    """Every case passed that all runs have in common; None where that is not recorded."""
    seed: int = 0
    """The seed that drew the other cases."""
    level: int = 0
    """KernelBench's level of the task; 0 where it is no KernelBench problem."""
    weights: str = ""
    """How a module got its weights: `name`, `place`, `part` or `seed`; empty where it has none, or
    did not get so far."""
    passes_1e_2: bool | None = None
    passes_1e_4: bool | None = None
    """By KernelBench's own rule at the published size; None where it was not applied."""
    paper_called: bool | None = None
    paper_correct: bool | None = None
    """By KernelBench-X's own rule: its call stage and its execution stage; None: not known."""
    paper_detail: str = ""
    """Where and why it fails that rule."""
    paper_infeasible: str = ""
    """Why no honest kernel passes the published test of the task."""
    paper_provisional: bool = False
    """The published test ran without a GPU."""
    rule_unknown: str = ""
    """Why it could not be applied, where it was tried."""
    seen: FeedbackResult | None = None
    """Its feedback result; None where the method requested none, and for imported files."""
    passed_own_test: bool | None = None
    """A test that the model wrote; None where there is none."""

    @property
    def void(self) -> bool:
        """The evaluator failed; the submission did not cause it."""
        return self.outcome == "void"

    @property
    def unsound(self) -> bool:
        """The task cannot separate a correct kernel from a wrong one."""
        return self.grade is Grade.UNSOUND

    @property
    def certified(self) -> bool:
        """The task had a certificate that stands."""
        return self.grade.certified

    @property
    def counts(self) -> bool:
        """Neither void evaluations nor verdicts on unsound problems are in any rate, nor what the
        standard did not judge."""
        return not self.void and not self.unsound and not self.unjudged

    @property
    def unjudged(self) -> bool:
        """It ran, and had no case by which the standard could judge it."""
        stopped = self.outcome in ("void", "reached")
        return not stopped and self.meets(self.standard) is None

    @property
    def called(self) -> bool:
        """It loaded, compiled, ran and ended: only then can an answer be wrong or right."""
        return (
            self.outcome in ("wrong", "correct")
            or (self.outcome == "reached" and self.stage != "check")
            or self.correct
        )

    @property
    def failed_at_scale(self) -> bool:
        """Right in every check case, and not in a timed one."""
        return self.outcome == "correct" and (self.fails_timed or self.performance == "failed")

    @property
    def own_performance(self) -> str:
        """The state of its times, whatever standard they were taken for."""
        return self.stricter.performance if self.stricter is not None else self.performance

    @property
    def correct(self) -> bool:
        """It meets the standard; by the strictest, every case is right, timed ones included."""
        return bool(self.meets(self.standard))

    @property
    def solved(self) -> bool:
        """The same: this attempt solves its task (`core/solved.py`)."""
        return self.correct

    def meets(self, standard: Standard) -> bool | None:
        """Whether it meets this standard; None where that was not judged."""
        match standard:
            case Standard.BASIC:
                return self.basic
            case Standard.CORE:
                return self.core
            case Standard.STRICT:
                return self.outcome == "correct" and not self.failed_at_scale

    @property
    def handed_in(self) -> bool:
        """Judged once more, because it is what its method hands in."""
        return self.step == HANDED_IN

    @property
    def verdict(self) -> str:
        """The outcome in a word; a failure at a timed size is not called correct."""
        return FAILED_AT_SCALE if self.failed_at_scale else self.outcome

    @property
    def took_times(self) -> bool:
        """Whether times were requested and it was correct enough to be timed."""
        return bool(
            self.own_performance
            or self.performance
            or self.core_performance
            or self.basic_performance
        )

    @property
    def timed(self) -> bool:
        """Correct, and its times can be trusted."""
        return self.correct and self.performance == "timed" and self.eager is not None
