"""Smaller sizes for a published problem: constants with which its model still runs."""

import operator
import re
from collections.abc import Callable, Sequence

from kernelbenchx.problem_worker.call_cost import CallCost, cost
from kernelbenchx.problem_worker.problem_source import ProblemSource, Size, Sizes

FLOPS, ELEMENTS, WEIGHTS = 2e7, 5e4, 1e6
"""What is aimed at: the interpreter of Triton takes seconds for it."""
MOST_FLOPS, MOST_ELEMENTS, MOST_WEIGHTS = 1e10, 8e6, 7e7
"""What is taken where nothing smaller was found."""
AVERAGED = 8
"""Numbers that each mean of a normalization keeps: of two, it leaves the signs of a difference."""
_KEPT = re.compile(
    r"kernel|stride|padding|dilation|group|head|pool|scal|(?:^|_)eps|bias|layers|margin|slope|output_size"
    r"|ratio|expan|patch|window|growth|block_len|state|divisor|shape$|classes",
    re.IGNORECASE,
)
"""Names of constants that are no sizes, or that other sizes are tied to."""
_BATCH = re.compile(r"^(batch|bs$|b$|test_batch)", re.IGNORECASE)
_SMALLEST = 8


class NotReduced(Exception):
    """No sizes were found that a CPU can judge."""


def find_smaller_sizes(problem: ProblemSource) -> Sizes:
    """Values of constants with which the model still runs and costs little."""
    search = _Search(problem)
    batches = [
        name
        for name, value in search.constants.items()
        if _BATCH.match(name) and isinstance(value, int)
    ]
    tried: set[str] = set()
    for name in batches:
        if _is_large(search.cost):
            tried.add(name)
            _attempt_any(search, name, (2, 4, 8, 16, 32))
    _halve(search, set(tried), _is_large, operator.ne)
    # Sizes that leave the weights as they are need not shrink for them.
    _halve(search, tried, _is_heavy, lambda one, other: one.weights < other.weights)
    for name in batches:
        if _is_too_large(search.cost):
            _attempt_any(search, name, (1,))
    if _is_too_large(search.cost):
        done, held, weights = (f"{one:.1e}" for one in search.cost[:3])
        said = f"{done} operations, {held} elements and {weights} weights"
        raise NotReduced(f"{said} at the smallest sizes")
    return search.sizes


def _attempt_any(search: "_Search", name: str, sizes: Sequence[int]) -> None:
    """Take the first one that fits."""
    any(search.attempt(name, size) for size in sizes if size < search.largest(name))


def _is_large(cost: CallCost) -> bool:
    return cost.flops > FLOPS or cost.elements > ELEMENTS


def _is_too_large(cost: CallCost) -> bool:
    most = (MOST_FLOPS, MOST_ELEMENTS, MOST_WEIGHTS)
    return any(one > limit for one, limit in zip(cost, most, strict=False))


def _is_starved(there: CallCost, here: CallCost) -> bool:
    return there.averaged < min(AVERAGED, here.averaged)


def _is_heavy(cost: CallCost) -> bool:
    return cost.weights > WEIGHTS


def _halve(
    search: "_Search",
    tried: set[str],
    goes_on: Callable[[CallCost], bool],
    helps: Callable[[CallCost, CallCost], bool],
) -> None:
    """The largest size first, until it is enough or nothing is left."""
    while goes_on(search.cost):
        left = search.candidates(tried)
        if not left:
            return
        name = max(left, key=lambda one: ("chan" not in one, search.largest(one)))
        if not search.attempt(name, search.largest(name) // 2, helps):
            tried.add(name)


class _Search:
    """For sizes that fit together."""

    def __init__(self, problem: ProblemSource) -> None:
        self.problem = problem
        self.constants = problem.constants()
        self.sizes: Sizes = {}
        self.cost = cost(problem, {})

    def attempt(
        self, name: str, value: int, helps: Callable[[CallCost, CallCost], bool] = operator.ne
    ) -> bool:
        """Alone, then together with all constants of the same value."""
        before = self.largest(name)
        equal = [one for one in self.constants if self.largest(one) == before]
        for names in ([name], equal):
            changed = {one: _scale_size(self._value(one), before, value) for one in names}
            try:
                there = cost(self.problem, {**self.sizes, **changed})
            except Exception:  # noqa: BLE001 - these sizes do not fit together
                continue
            if helps(there, self.cost) and not _is_starved(there, self.cost):
                self.sizes.update(changed)
                self.cost = there
                return True
        return False

    def candidates(self, tried: set[str]) -> list[str]:
        """Constants that may be sizes."""
        return [
            name
            for name in self.constants
            if name not in tried and not _KEPT.search(name) and self.largest(name) > _SMALLEST
        ]

    def largest(self, name: str) -> int:
        """The value of a constant as it is now; of a tuple the largest."""
        value = self._value(name)
        return max(value) if isinstance(value, tuple) else value

    def _value(self, name: str) -> Size:
        return self.sizes.get(name, self.constants[name])


def _scale_size(value: Size, before: int, after: int) -> Size:
    """Smaller by the same ratio, where it is not small already."""
    if isinstance(value, tuple):
        return tuple(one * after // before if one > _SMALLEST else one for one in value)
    return value * after // before
