"""Launches after the front end, and which of them are lowered or compiled to machine code."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .compilation_record import KernelSpecialisation
from .find_kernels import FoundKernel
from .front_end import KernelIr

_LOWERED = 8
"""Codes of a kernel that go through Triton's other passes beside those that become machine code."""


@dataclass(frozen=True)
class RepeatableLaunch:
    """A launch that can be made again."""

    found: FoundKernel
    arguments: dict[str, Any]
    options: dict[str, Any]
    grid: tuple[int, ...]
    front_end_only: bool
    number: int
    """Number of the launch that it was recorded from."""
    wanted: bool
    """Whether the wrapper read what its binary needs."""
    ran: Mapping[str, list[Any]] = field(default_factory=dict)
    """What the interpreter ran of its functions, in the form of `Visits.ran`."""

    @property
    def configurations(self) -> list[Any]:
        """The configurations that autotune chooses from."""
        return [] if self.found.tuner is None else list(self.found.tuner.configs)

    @property
    def is_tuned(self) -> bool:
        """Whether there are other configurations to choose from."""
        return len(self.configurations) > 1

    def warmup(self, **chosen: Any) -> Any:
        """Pass it to Triton, which compiles and does not launch."""
        given, names = {**self.arguments, **self.options, **chosen}, list(self.found.fn.arg_names)
        # A kernel may call a parameter of its own `grid`: it is given by position then.
        taken = [names.index(name) + 1 for name in ("grid", "warmup") if name in names]
        leading = [given.pop(name) for name in names[: max(taken, default=0)]]
        return self.found.fn.warmup(*leading, **given, grid=self.grid)


@dataclass(frozen=True)
class LoweredLaunch:
    """A launch after the front end."""

    form: RepeatableLaunch
    attempt: KernelSpecialisation
    built: KernelIr

    @property
    def kind(self) -> tuple[Any, ...]:
        """Kernel and types."""
        return id(self.form.found.fn), self.built.types

    @property
    def family(self) -> tuple[Any, ...]:
        """Kernel, types and options."""
        return *self.kind, self.built.options.hash()


def to_finish(programs: list[LoweredLaunch]) -> list[LoweredLaunch]:
    """The launches that are compiled to machine code: all whose needs are wanted, and some more.

    Of each kernel, as many as together compute all that it computes with any types.
    """
    candidates = {program.kind: program for program in sorted(programs, key=_worth)}.values()
    done, chosen = dict[int, set[str]](), set[int]()
    for program in sorted(candidates, key=_count_computations, reverse=True):
        kernel, computations = id(program.form.found.fn), program.built.computations
        if kernel not in done or not computations <= done[kernel]:
            done.setdefault(kernel, set()).update(computations)
            chosen.add(id(program))
    return [one for one in programs if one.form.wanted or id(one) in chosen]


def _count_computations(program: LoweredLaunch) -> int:
    return len(program.built.computations)


def _worth(program: LoweredLaunch) -> tuple[int, int]:
    """Priority for machine code: many programs do the work, and small blocks take less time."""
    return math.prod(program.form.grid), -program.built.elements


def to_lower(
    programs: list[LoweredLaunch], finished: Iterable[LoweredLaunch]
) -> Iterator[LoweredLaunch]:
    """The launches to lower: the largest program of each kernel, types and options, and some more.

    A smaller one is added where it does anything else. Those that become machine code are lowered
    on their way.
    """
    anyway, done = set(map(id, finished)), defaultdict[Any, set[str]](set)
    for program in programs:
        if id(program) in anyway:
            done[program.family] |= program.built.operations
    begun, room = set[Any](), Counter[int]()
    for program in sorted(programs, key=_elements, reverse=True):
        family, operations = program.family, program.built.operations
        is_new = family not in begun or not operations <= done[family]
        begun.add(family)
        if is_new and id(program) not in anyway and room[family[0]] < _LOWERED:
            room[family[0]] += 1
            done[family] |= operations
            yield program


def _elements(program: LoweredLaunch) -> int:
    return program.built.elements
