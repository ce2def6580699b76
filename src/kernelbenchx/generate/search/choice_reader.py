"""Reads the tuning choices out of a Triton source.

Sizes that reach a `tl.constexpr` parameter at a launch, as a number, through a name, or as the
bound in `min(..., 1024)`; their defaults; sizes that a kernel reads from the file; `num_warps` and
`num_stages`, also where none is written; and the configurations of `@triton.autotune`. Numbers that
must be equal change together: a grid that divides by 1024 follows the block of 1024.

Whether another value leaves the answer right is not known here: the judge finds out.
"""

import ast
import re
from collections.abc import Iterator

from kernelbenchx.checks.scopes import Unreadable
from kernelbenchx.checks.source import Source, parse
from kernelbenchx.core.parsing import parse_python
from kernelbenchx.generate.search.autotune_configs import tuner_of
from kernelbenchx.generate.search.choices import ChoiceKind, TuningChoice, ValueSpan, write
from kernelbenchx.generate.search.constants import entries, numbers
from kernelbenchx.generate.search.grids import Divisor, divisors
from kernelbenchx.generate.search.launches import LaunchSite, constants_of, launches_of
from kernelbenchx.generate.search.positions import Positions
from kernelbenchx.generate.search.tied_choices import Spot, together

UNWRITTEN = {"num_warps": 4, "num_stages": 3}
"""What Triton takes where a launch names none."""
SMALLEST_DOT = 16
"""A side of `tl.dot` below which it does not compile everywhere."""
MOST_LAUNCHES = 64
"""An honest source has a handful."""
_SIZES = re.compile(r"block|tile|group|split|unroll|vec|row|col|chunk|width", re.I)


def choices_of(text: str) -> tuple[TuningChoice, ...]:
    """The choices of a source in the order of their names; none where it cannot be read."""
    try:
        reader = _ChoiceReader(parse(text), Positions(text))
    except Unreadable:
        return ()
    spots, repeated = reader.spots(), reader.divisors()
    found = [*together(spots, repeated), *reader.lists()]
    return _writable(text, sorted(found, key=lambda one: one.name))


class _ChoiceReader:
    def __init__(self, source: Source, positions: Positions) -> None:
        self.source, self.positions = source, positions
        self.kernels = {id(kernel): kernel for kernel in source.kernels()}
        self.tuners = {key: tuner_of(kernel) for key, kernel in self.kernels.items()}
        self.launches = launches_of(source)[:MOST_LAUNCHES]
        walked = {key: list(ast.walk(kernel)) for key, kernel in self.kernels.items()}
        self.loops = {
            key
            for key, nodes in walked.items()
            if any(isinstance(node, ast.For | ast.While) for node in nodes)
        }
        self.dots = {
            key
            for key, nodes in walked.items()
            if any(isinstance(node, ast.Attribute) and node.attr == "dot" for node in nodes)
        }

    def spots(self) -> list[Spot]:
        found: list[Spot] = []
        for launch in self.launches:
            found += self._at_launch(launch)
        for kernel in self.kernels.values():
            found += self._of_kernel(kernel)
        return [spot for spot in found if _tunable(spot)]

    def divisors(self) -> list[tuple[str, ValueSpan, int]]:
        """Per kernel the numbers of its grids, with the size that each repeats."""
        return [
            (launch.kernel.name, self._repeating(one), one.size)
            for launch in self.launches
            for one in divisors(launch.grid, launch.scope)
        ]

    def lists(self) -> Iterator[TuningChoice]:
        """Which of several configurations stays alone."""
        for tuner in self.tuners.values():
            if tuner is None or len(tuner.configs) < 2:
                continue
            start, end = (
                self.positions.start(tuner.configs[0]),
                self.positions.end(tuner.configs[-1]),
            )
            texts = ("", *(self.positions.text(one) for one in tuner.configs))
            values = tuple(range(len(texts)))
            place = ValueSpan(start, end, texts=texts)
            yield TuningChoice(
                f"{tuner.kernel.name}.configs", ChoiceKind.CONFIGS, 0, values, (place,)
            )

    def _at_launch(self, launch: LaunchSite) -> Iterator[Spot]:
        given, kernel = self._bind_arguments(launch), launch.kernel
        wanted = {*constants_of(kernel), *UNWRITTEN}
        for name in sorted(wanted & set(given)):
            for node in numbers(given[name], launch.scope):
                yield self._spot(kernel, name, node)
        if self.tuners.get(id(kernel)) is None and not self._is_open(launch):
            yield from self._find_defaults(launch, given)

    @staticmethod
    def _bind_arguments(launch: LaunchSite) -> dict[str, ast.expr]:
        """Also by `**options`, where these are written out."""
        found = launch.bind_arguments()
        for one in launch.unpacked:
            found |= entries(one, launch.scope) or {}
        return found

    @staticmethod
    def _is_open(launch: LaunchSite) -> bool:
        """Whether more may be given than can be read."""
        return any(entries(one, launch.scope) is None for one in launch.unpacked)

    def _find_defaults(self, launch: LaunchSite, given: dict[str, ast.expr]) -> Iterator[Spot]:
        where = self.positions.behind_arguments(launch.call)
        loops = id(launch.kernel) in self.loops
        for name, value in UNWRITTEN.items():
            if where is None or name in given or (name == "num_stages" and not loops):
                continue
            place = ValueSpan(where[0], where[0], where[1].format(name))
            yield Spot(launch.kernel.name, name, value, place)

    def _of_kernel(self, kernel: ast.FunctionDef) -> Iterator[Spot]:
        own = [one for one in self.launches if one.kernel is kernel]
        given = {name for one in own for name in self._bind_arguments(one)}
        for name, default in constants_of(kernel).items():
            if name not in given and type(getattr(default, "value", None)) is int:
                assert isinstance(default, ast.Constant)
                yield self._spot(kernel, name, default)
        tuner = self.tuners[id(kernel)]
        for name, node in (tuner.numbers() if tuner is not None else {}).items():
            yield self._spot(kernel, name, node)
        yield from self._read_by(kernel)

    def _read_by(self, kernel: ast.FunctionDef) -> Iterator[Spot]:
        """Sizes of the file that the kernel's text uses by name."""
        scope = self.source.names.scopes[id(kernel)]
        names = {node.id for node in scope.nodes if isinstance(node, ast.Name)}
        for name in sorted(names):
            if scope.home(name) is scope.root():
                for node in numbers(ast.Name(name, ast.Load()), scope):
                    yield self._spot(kernel, name, node)

    def _spot(self, kernel: ast.FunctionDef, parameter: str, node: ast.Constant) -> Spot:
        place = ValueSpan(self.positions.start(node), self.positions.end(node))
        dots = id(kernel) in self.dots
        least = SMALLEST_DOT if dots and int(str(node.value)) >= SMALLEST_DOT else 1
        return Spot(kernel.name, parameter, int(str(node.value)), place, least)

    def _repeating(self, one: Divisor) -> ValueSpan:
        start, end = self.positions.start(one.node), self.positions.end(one.node)
        return ValueSpan(start, end, plus=int(str(one.node.value)) - one.size)


def _tunable(spot: Spot) -> bool:
    """A power of two; small ones are flags and ranks unless their name speaks of a size."""
    if spot.kind is not ChoiceKind.BLOCK:
        return spot.value > 0
    power = spot.value > 0 and not spot.value & (spot.value - 1)
    return power and (spot.value >= 4 or bool(_SIZES.search(spot.parameter)))


def _writable(text: str, choices: list[TuningChoice]) -> tuple[TuningChoice, ...]:
    """Without those whose places overlap; none at all where what is written is not Python."""
    kept: list[TuningChoice] = []
    taken: set[int] = set()
    for choice in choices:
        spans = {at for place in choice.places for at in range(place.start, place.end)}
        if len(choice.values) > 1 and not spans & taken:
            taken |= spans
            kept.append(choice)
    other = {one.name: next(v for v in one.values if v != one.now) for one in kept}
    try:
        parse_python(write(text, kept, other).removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    return tuple(kept)
