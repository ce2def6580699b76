"""What one call of a published problem costs, and how many numbers its norms average over."""

import logging
import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, NamedTuple
from unittest import mock

import torch
from torch import _VF, nn
from torch._subclasses.fake_tensor import DataDependentOutputException, FakeTensorMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import FlopCounterMode

from kernelbenchx.problem_worker.problem_source import ProblemSource, Sizes

Shape = tuple[int, ...]
_ATEN = torch.ops.aten


class CallCost(NamedTuple):
    """Of one call."""

    flops: int
    elements: int
    """Of inputs and results."""
    weights: int
    """Elements of them."""
    averaged: float = math.inf
    """Numbers in the smallest mean of a normalization; infinite without one."""


def cost(problem: ProblemSource, sizes: Sizes) -> CallCost:
    """Nothing is computed for it."""
    means: list[int] = []
    recurrences: list[int] = []
    counter = FlopCounterMode(display=False, custom_mapping=_norms(means))
    with _quiet(), torch.no_grad():
        with _fake():
            module = problem.load(sizes)
            given = module.get_inputs()
        model = _build_model(module)
        with _fake(), _whole_recurrences(recurrences), counter:
            results = model(*given)
    tensors = [one for one in tree_leaves((given, results)) if isinstance(one, torch.Tensor)]
    return CallCost(
        counter.get_total_flops() + sum(recurrences),
        sum(one.numel() for one in tensors),
        sum(one.numel() for one in model.state_dict().values()),
        min(means, default=math.inf),
    )


def _fake() -> FakeTensorMode:
    return FakeTensorMode(allow_non_fake_inputs=True)


def _build_model(module: Any) -> Any:
    """Without memory, unless the constructor reads numbers from tensors."""
    try:
        with _fake():
            return module.Model(*module.get_init_inputs())
    except DataDependentOutputException:
        return module.Model(*module.get_init_inputs())


def warm_up() -> None:
    """Import what fake tensors need, once for all children."""
    with FakeTensorMode(), FlopCounterMode(display=False), torch.no_grad():
        layers = nn.Sequential(nn.Conv2d(2, 2, 2), nn.BatchNorm2d(2), nn.Linear(3, 3))
        layers(torch.rand(2, 2, 4, 4))


def _norms(means: list[int]) -> dict[Any, Callable[..., int]]:
    """Norms, which torch's counter leaves out, by operation. Tensors come as their shapes."""

    def batch(given: Shape, *others: Any, **_: Any) -> int:
        if others[-3]:  # in training, before momentum and eps
            means.append(math.prod(given) // given[1])
        return 0

    def group(given: Shape, *others: Any, **_: Any) -> int:
        groups = others[5]
        means.append(math.prod(given) // (given[0] * groups))
        return 0

    def layer(_given: Shape, normalized: Shape, *_: Any, **__: Any) -> int:
        means.append(math.prod(normalized))
        return 0

    return {
        _ATEN._native_batch_norm_legit: batch,
        _ATEN.native_group_norm: group,
        _ATEN.native_layer_norm: layer,
    }


@contextmanager
def _whole_recurrences(flops: list[int]) -> Iterator[None]:
    """Recurrent layers in one operation each: torch takes one for each step of a sequence."""
    with ExitStack() as stack:
        for name in ("lstm", "gru", "rnn_tanh", "rnn_relu"):
            whole = partial(_recurrence, flops)
            stack.enter_context(mock.patch.object(_VF, name, whole, create=True))
        yield


def _recurrence(flops: list[int], given: Any, state: Any, weights: Any, *others: Any) -> Any:
    """Two operations for each weight of a matrix in each step."""
    *_, bidirectional, _batch_first = others
    matrices = sum(one.numel() for one in weights if one.dim() == 2)
    flops.append(2 * math.prod(given.shape[:-1]) * matrices)
    states = state if isinstance(state, tuple) else (state,)
    width = states[0].shape[-1] * (2 if bidirectional else 1)
    return (given.new_empty((*given.shape[:-1], width)), *(one.clone() for one in states))


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
