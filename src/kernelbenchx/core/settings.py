"""The settings of an evaluation, and their resolved form with no field left open."""

import math
from collections.abc import Sequence
from typing import Any, TypedDict

import msgspec

from kernelbenchx.core.arguments import require_type
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.record import Record
from kernelbenchx.core.time_limit import AUTO, MOST_S, TimeLimit, total_limit

DEVICES = ("auto", "cuda", "interpreter")
BASELINES = ("eager", "compile")
ISOLATIONS = ("auto", "L1", "L2", "L3")
OURS, PUBLISHED = SIZES = ("ours", "published")
"""Sets of timed sizes: those of the task files, and those of the published benchmark."""


class Settings(Record, frozen=True, kw_only=True):
    """Everything that changes what an evaluation can say."""

    device: str = "auto"
    """`interpreter` or `cuda`; `auto` until it is resolved."""
    stage: Stage = Stage.EXE
    baselines: tuple[str, ...] = ("eager",)
    """Baselines, if the stage is `perf`: `eager`, `compile`."""
    sizes: str = OURS
    """Which sizes are timed, if the stage is `perf`: `ours` or `published`."""
    gpus: tuple[int, ...] = ()
    """The GPUs to use, by index; empty for all."""
    checks: bool = True
    paper_rules: bool = False
    """Whether the papers' own rules are applied, too; no verdict depends on them."""
    compile: bool = True
    """Whether interpreted kernels must also compile; certificates of mutants need not."""
    target: str = "sm_90"
    isolation: str = "auto"
    """`auto` for the highest level of this machine, or `L1`, `L2`, `L3`."""
    jobs: int = 2
    time_limit_s: TimeLimit = AUTO
    """Time limit for the calls of one submission; `auto` limits each call by the witness's
    slowest."""
    compile_time_limit_s: float = 60.0
    memory_bytes: int = 6 << 30
    output_bytes: int = 1 << 28
    seed: int = 0
    """Secret and new for each run unless given; 0 means: draw one."""

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "stage", parse_stage(self.stage))
        for name, words in (("baselines", "names"), ("gpus", "indices")):
            value = getattr(self, name)
            require_type(name, value, (tuple, list), f"a tuple of {words}")
            msgspec.structs.force_setattr(self, name, tuple(value))
        for name in ("checks", "compile", "paper_rules"):
            require_type(name, getattr(self, name), bool, "True or False")
        require_type("target", self.target, str, "the name of a GPU architecture")
        if any(type(index) is not int or index < 0 for index in self.gpus):
            raise BadInput(f"gpus are indices from 0 on, not {self.gpus!r}")
        self._require_choices()
        for name in ("jobs", "compile_time_limit_s", "memory_bytes", "output_bytes"):
            require_positive(name, getattr(self, name))
        if self.time_limit_s != AUTO:
            require_positive("time_limit_s", self.time_limit_s, or_else=AUTO)
        if type(self.jobs) is not int:
            raise BadInput(f"jobs is a whole number, not {self.jobs!r}")
        if type(self.seed) is not int or self.seed < 0:
            raise BadInput(f"seed is a whole number from 0 on, not {self.seed!r}")

    def _require_choices(self) -> None:
        if self.paper_rules and self.stage is Stage.CHECK:
            raise BadInput("paper_rules runs submissions, and the stage check runs none")
        for name, known in (("device", DEVICES), ("isolation", ISOLATIONS), ("sizes", SIZES)):
            if getattr(self, name) not in known:
                raise BadInput(f"{name} is {_join_words(known)}, not {getattr(self, name)!r}")
        if not set(self.baselines) <= set(BASELINES):
            raise BadInput(f"baselines are {_join_words(BASELINES)}, not {self.baselines!r}")
        if self.sizes == PUBLISHED and self.baselines != ("eager",):
            raise BadInput("published sizes are compared with eager alone, as they were published")


class ResolvedSettings(Settings, frozen=True, kw_only=True):
    """Settings with nothing left open, and the time limit that a worker gets.

    The two limits differ only inside kbx: mutants and attacks that hang are ended sooner.
    """

    wall_s: float = MOST_S

    @property
    def limits_calls(self) -> bool:
        """Whether each call has its own limit, by the rule `auto`."""
        return self.time_limit_s == AUTO and self.wall_s == MOST_S and self.device == "interpreter"


def resolve_for(wanted: Settings, device: str) -> ResolvedSettings:
    """Resolve the settings for an existing device."""
    chosen = {name: getattr(wanted, name) for name in Settings.__struct_fields__}
    limit = total_limit(wanted.time_limit_s)
    return ResolvedSettings(**chosen | {"device": device, "wall_s": limit})


class SettingsOptions(TypedDict, total=False):
    """Fields of `Settings` as keyword arguments; a stage may also be given by its name."""

    device: str
    stage: Stage | str
    baselines: Sequence[str]
    sizes: str
    gpus: Sequence[int]
    checks: bool
    paper_rules: bool
    compile: bool
    target: str
    isolation: str
    jobs: int
    time_limit_s: TimeLimit
    compile_time_limit_s: float
    memory_bytes: int
    output_bytes: int
    seed: int


def apply_options(settings: Settings, options: SettingsOptions) -> Settings:
    """The settings with some fields replaced; an unknown name raises a `TypeError`."""
    changes: dict[str, Any] = dict(options)
    for name in changes:
        if name not in Settings.__struct_fields__:
            known = ", ".join(Settings.__struct_fields__)
            raise TypeError(f"unknown setting {name!r}; choose one of {known}")
    return msgspec.structs.replace(settings, **changes)


def parse_stage(name: Stage | str) -> Stage:
    """Find a stage by its name."""
    try:
        return Stage(name)
    except ValueError as error:
        known = _join_words([one.value for one in Stage])
        raise BadInput(f"stage is {known}, not {name!r}") from error


def require_positive(name: str, number: object, *, or_else: str = "") -> None:
    """Refuse a number that is not finite and above zero; `or_else` is the permitted alternative."""
    counts = isinstance(number, int | float) and not isinstance(number, bool)
    if not counts or not 0 < number < math.inf:  # type: ignore[operator]
        other = f"{or_else} or " if or_else else ""
        raise BadInput(f"{name} is {other}a number above 0, not {number!r}")


def _join_words(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + f" or {words[-1]}"
