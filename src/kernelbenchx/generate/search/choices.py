"""A tuning choice of a source: what may stand at its places, and the source with other values."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

Setting = Mapping[str, int]
"""Values by the name of their choice; a choice that is not named stays as it is."""


class ChoiceKind(StrEnum):
    """What a choice is about: how far its values lie apart depends on it."""

    BLOCK = "block"
    """A size that the compiler knows, a power of two."""
    WARPS = "warps"
    STAGES = "stages"
    CONFIGS = "configs"
    """Which of the listed configurations stays; 0 for all of them."""


@dataclass(frozen=True, order=True)
class ValueSpan:
    """Where a value stands, in bytes of the text."""

    start: int
    end: int
    form: str = "{}"
    """What is written there, with the value in it."""
    plus: int = 0
    """Added to the value: `(n + 1023) // 1024` has it once less one."""
    texts: tuple[str, ...] = ()
    """What is written instead, by value, where the value is only a number of a text."""

    def format_value(self, value: int) -> str:
        """The text of a value at this place."""
        return self.texts[value] if self.texts else self.form.format(value + self.plus)


@dataclass(frozen=True)
class TuningChoice:
    """One number that may be another: every place that must follow, and what is sensible."""

    name: str
    """`kernel.PARAMETER`; names joined by commas where numbers can only change together."""
    kind: ChoiceKind
    now: int
    values: tuple[int, ...]
    """In order, `now` among them."""
    places: tuple[ValueSpan, ...]

    @property
    def kernels(self) -> tuple[str, ...]:
        """The kernel of each parameter that it stands for: one with two of them is listed twice."""
        return tuple(one.partition(".")[0] for one in self.name.split(","))


def write(text: str, choices: Iterable[TuningChoice], setting: Setting) -> str:
    """The text with other values, every other byte as it was."""
    edits = [
        (place.start, place.end, place.format_value(setting[choice.name]).encode())
        for choice in choices
        if setting.get(choice.name, choice.now) != choice.now
        for place in choice.places
    ]
    data = text.encode()
    for start, end, new in sorted(edits, reverse=True):
        data = data[:start] + new + data[end:]
    return data.decode()


def read_setting(choices: Iterable[TuningChoice]) -> dict[str, int]:
    """The setting of the text as it is."""
    return {choice.name: choice.now for choice in choices}


def size(choices: Iterable[TuningChoice]) -> int:
    """How many settings there are."""
    return math.prod(len(choice.values) for choice in choices)
