"""Smaller sizes for a published problem: constants with which its model still runs."""

import logging
import operator
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import FlopCounterMode

from kernelbenchx.problem_worker.problem_source import ProblemSource, Size, Sizes

FLOPS, ELEMENTS, WEIGHTS = 2e7, 5e4, 1e6
"""What is aimed at: the interpreter of Triton takes seconds for it."""
MOST_FLOPS, MOST_ELEMENTS, MOST_WEIGHTS = 1e10, 8e6, 7e7
"""What is taken where nothing smaller was found."""
_KEPT = re.compile(
    r"kernel|stride|padding|dilation|group|head|pool|scal|eps|bias|layers|margin|slope|output_size"
    r"|ratio|expan|patch|window|growth|block_len|state|divisor|shape$|classes",
    re.IGNORECASE,
)
"""Names of constants that are no sizes, or that other sizes are tied to."""
_BATCH = re.compile(r"^(batch|bs$|b$|test_batch)", re.IGNORECASE)
_SMALLEST = 8


class NotReduced(Exception):
    """No sizes were found that a CPU can judge."""


class Cost(NamedTuple):
    """Of one call."""

    flops: int
    elements: int
    """Of inputs and results."""
    weights: int
    """Elements of them."""


def smaller(problem: ProblemSource) -> Sizes:
    """Values of constants with which the model still runs and costs little."""
    search = _Search(problem)
    tried: set[str] = set()
    for name, value in search.constants.items():
        if _BATCH.match(name) and isinstance(value, int) and _is_large(search.cost):
            tried.add(name)
            any(search.attempt(name, few) for few in (2, 4, 8, 16, 32) if few < value)
    _halve(search, set(tried), _is_large, operator.ne)
    # Sizes that leave the weights as they are need not shrink for them.
    _halve(search, tried, _is_heavy, lambda one, other: one.weights < other.weights)
    found = search.cost
    most = (MOST_FLOPS, MOST_ELEMENTS, MOST_WEIGHTS)
    if any(one > limit for one, limit in zip(found, most, strict=True)):
        done, held, weights = (f"{one:.1e}" for one in found)
        said = f"{done} operations, {held} elements and {weights} weights"
        raise NotReduced(f"{said} at the smallest sizes")
    return search.sizes


def _is_large(cost: Cost) -> bool:
    return cost.flops > FLOPS or cost.elements > ELEMENTS


def _is_heavy(cost: Cost) -> bool:
    return cost.weights > WEIGHTS


def _halve(
    search: "_Search",
    tried: set[str],
    goes_on: Callable[[Cost], bool],
    helps: Callable[[Cost, Cost], bool],
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
        self, name: str, value: int, helps: Callable[[Cost, Cost], bool] = operator.ne
    ) -> bool:
        """Alone, then together with all constants of the same value."""
        before = self.largest(name)
        equal = [one for one in self.constants if self.largest(one) == before]
        for names in ([name], equal):
            changed = {one: _scaled(self._value(one), before, value) for one in names}
            try:
                there = cost(self.problem, {**self.sizes, **changed})
            except Exception:  # noqa: BLE001 - these sizes do not fit together
                continue
            if helps(there, self.cost):
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


def cost(problem: ProblemSource, sizes: Sizes) -> Cost:
    """Nothing is computed for it."""
    counter = FlopCounterMode(display=False)
    with _quiet(), FakeTensorMode(allow_non_fake_inputs=True), torch.no_grad():
        module = problem.load(sizes)
        given = module.get_inputs()
        model = module.Model(*module.get_init_inputs())
        with counter:
            results = model(*given)
    tensors = [one for one in tree_leaves((given, results)) if isinstance(one, torch.Tensor)]
    return Cost(
        counter.get_total_flops(),
        sum(one.numel() for one in tensors),
        sum(one.numel() for one in model.state_dict().values()),
    )


def warm_up() -> None:
    """Import what fake tensors need, once for all children."""
    with FakeTensorMode(), FlopCounterMode(display=False), torch.no_grad():
        layers = nn.Sequential(nn.Conv2d(2, 2, 2), nn.BatchNorm2d(2), nn.Linear(3, 3))
        layers(torch.rand(2, 2, 4, 4))


@contextmanager
def _quiet() -> Iterator[None]:
    """Sizes that do not fit are no news."""
    logger: Any = logging.getLogger("torch._subclasses.fake_tensor")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


def _scaled(value: Size, before: int, after: int) -> Size:
    """Smaller by the same ratio, where it is not small already."""
    if isinstance(value, tuple):
        return tuple(one * after // before if one > _SMALLEST else one for one in value)
    return value * after // before
