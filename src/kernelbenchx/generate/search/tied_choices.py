"""Numbers of a source that must be equal, put together into one choice each."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kernelbenchx.generate.search.choices import ChoiceKind, TuningChoice, ValueSpan

WARPS = (1, 2, 4, 8, 16)
STAGES = (1, 2, 3, 4, 5)
STEPS = 3
"""How many doublings a size may go either way."""
LARGEST = 1 << 16


@dataclass(frozen=True)
class Spot:
    """A number of one parameter of one kernel."""

    kernel: str
    parameter: str
    value: int
    place: ValueSpan
    least: int = 1

    @property
    def kind(self) -> ChoiceKind:
        return {"num_warps": ChoiceKind.WARPS, "num_stages": ChoiceKind.STAGES}.get(
            self.parameter, ChoiceKind.BLOCK
        )


def together(
    spots: Iterable[Spot], repeated: Iterable[tuple[str, ValueSpan, int]]
) -> Iterator[TuningChoice]:
    """Numbers that must be equal as one choice: one place, one parameter, or one grid."""
    groups: list[tuple[set[Spot], set[ValueSpan]]] = []
    for spot in spots:
        own = {spot}
        apart = []
        for group in groups:
            if any(_same(spot, other) for other in group[0]):
                own |= group[0]
            else:
                apart.append(group)
        groups = [*apart, (own, set())]
    for kernel, place, value in repeated:
        groups = _tie_grid_number(groups, kernel, place, value)
    names: dict[str, int] = defaultdict(int)
    for members, places in groups:
        choice = _choice(members, places)
        names[choice.name] += 1
        number = names[choice.name]
        suffix = f"#{number}" if number > 1 else ""
        yield TuningChoice(
            choice.name + suffix, choice.kind, choice.now, choice.values, choice.places
        )


def _same(one: Spot, other: Spot) -> bool:
    if one.place == other.place:
        return True
    return (one.kernel, one.parameter, one.value) == (other.kernel, other.parameter, other.value)


def _tie_grid_number(
    groups: list[tuple[set[Spot], set[ValueSpan]]], kernel: str, place: ValueSpan, value: int
) -> list[tuple[set[Spot], set[ValueSpan]]]:
    """Tie a number of a grid to the size it repeats; of two equal sizes, to both."""
    hit = [
        group
        for group in groups
        if any((s.kernel, s.value, s.kind) == (kernel, value, ChoiceKind.BLOCK) for s in group[0])
    ]
    if not hit or any(place == spot.place for group in hit for spot in group[0]):
        return groups
    rest = [group for group in groups if group not in hit]
    members: set[Spot] = set().union(*(group[0] for group in hit))
    places: set[ValueSpan] = {place}.union(*(group[1] for group in hit))
    return [*rest, (members, places)]


def _choice(members: set[Spot], places: set[ValueSpan]) -> TuningChoice:
    ordered = sorted(members, key=lambda s: (s.place.start, s.kernel, s.parameter))
    name = ",".join(dict.fromkeys(f"{spot.kernel}.{spot.parameter}" for spot in ordered))
    first = ordered[0]
    least = max(spot.least for spot in ordered)
    every = {spot.place for spot in ordered} | places
    return TuningChoice(name, first.kind, first.value, _values(first, least), tuple(sorted(every)))


def _values(spot: Spot, least: int) -> tuple[int, ...]:
    if spot.kind is ChoiceKind.WARPS:
        return tuple(sorted({*WARPS, spot.value}))
    if spot.kind is ChoiceKind.STAGES:
        return tuple(sorted({*STAGES, spot.value}))
    doubled = {spot.value << step for step in range(STEPS + 1)}
    halved = {spot.value >> step for step in range(STEPS + 1)}
    return tuple(value for value in sorted(doubled | halved) if max(1, least) <= value <= LARGEST)
