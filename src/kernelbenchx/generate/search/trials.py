"""The trials of a search: every source once, with its result."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from kernelbenchx.core.same_code import code_digest
from kernelbenchx.generate.search.log_speed import LogSpeed, improves
from kernelbenchx.generate.search.setting_space import Point, SettingSpace


@dataclass(frozen=True, eq=False)
class SettingTrial:
    """One setting of one space, evaluated."""

    space: SettingSpace
    point: Point
    source: str
    speed: LogSpeed | None
    """Nothing where it is not correct, or has no time."""
    name: str = ""
    """Under which its evaluation is kept."""
    idea: str = ""
    """What a model was asked for, where it wrote this one."""
    said: str = ""
    """The result in a line."""
    fault: bool = False
    """The evaluator failed, not the kernel: nothing is learned from it."""


@dataclass(eq=False)
class Trials:
    """In the order of their evaluation."""

    all: list[SettingTrial] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)

    def add(self, trial: SettingTrial) -> None:
        """Remember it, and never propose the same code again."""
        self._seen.add(code_digest(trial.source))
        self.all.append(trial)

    def knows(self, source: str) -> bool:
        """Whether the same code was tried, however it is set or commented."""
        return code_digest(source) in self._seen

    def of(self, space: SettingSpace) -> list[SettingTrial]:
        """Those of one space."""
        return [trial for trial in self.all if trial.space is space]

    def like(self, space: SettingSpace) -> list[SettingTrial]:
        """Those of its whole family that say something about it."""
        family = [trial for trial in self.all if trial.space.family == space.family]
        return [trial for trial in family if not trial.fault]

    @property
    def best(self) -> SettingTrial | None:
        """The first that nothing after it improves upon."""
        return best_of(self.all)


def best_of(trials: Iterable[SettingTrial]) -> SettingTrial | None:
    """What stands when each is compared with what stood before it: ties go to the earlier."""
    standing: SettingTrial | None = None
    for trial in trials:
        if trial.speed is None:
            continue
        if standing is None or standing.speed is None or improves(trial.speed, standing.speed):
            standing = trial
    return standing
