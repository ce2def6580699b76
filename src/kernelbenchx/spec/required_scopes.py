"""Which scopes beyond `core` a drawn call asks for, by its arguments alone."""

from collections.abc import Iterator, Sequence
from typing import Any

import torch

from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.task import Task

_NEAR_THE_LARGEST = 1 / 16
"""From this share of a dtype's largest value on, sums and squares overflow."""
_IN_PLACE = "inplace"


def resolve_needs(task: Task, drawn: Sequence[tuple[Case, Call]]) -> list[frozenset[Scope]]:
    """For each case what it declares, or else what its arguments show.

    Some tasks plant NaN and infinities into every listed case. There they are ordinary input:
    without this no case would be left for `core`.
    """
    found = [needs_of(task, call) if case.needs is None else case.needs for case, call in drawn]
    if all(found):
        declared = [case.needs is not None for case, _ in drawn]
        return [
            needs if known else needs - {Scope.VALUES}
            for needs, known in zip(found, declared, strict=True)
        ]
    return found


def needs_of(task: Task, call: Call) -> frozenset[Scope]:
    """By strides, dtypes, values and sizes of the arguments; an ordinary call needs nothing."""
    tests = {
        Scope.LAYOUT: _needs_layout,
        Scope.DTYPE: _needs_dtype,
        Scope.VALUES: _needs_values,
        Scope.DEGENERATE: _is_degenerate,
    }
    return frozenset(scope for scope, holds in tests.items() if holds(task, call))


def _needs_layout(task: Task, call: Call) -> bool:
    arguments = task.bound(call)
    if arguments.get(_IN_PLACE) is True or any(_given_to_write(task, arguments)):
        return True
    return any(not one.is_contiguous() or one.storage_offset() for one in call.tensors())


def _given_to_write(task: Task, arguments: dict[str, Any]) -> Iterator[str]:
    """Arguments such as `out` that a call may leave out, and that this one gives."""
    for name in task.writes:
        parameter = task.signature.parameters.get(name)
        optional = parameter is not None and parameter.default is None
        if optional and arguments.get(name) is not None:
            yield name


def _needs_dtype(task: Task, call: Call) -> bool:
    if any(isinstance(one, torch.dtype) for one in task.bound(call).values()):
        return True
    tensors = call.tensors()
    if tensors and task.dtypes and not _is_inexact(tensors[0]):
        return True
    return any(_is_inexact(one) and one.dtype not in task.dtypes for one in tensors)


def _needs_values(task: Task, call: Call) -> bool:
    """What lies in a tensor that is only written does not matter."""
    arguments = task.bound(call)
    written = set(_given_to_write(task, arguments))
    pairs = zip(task.tensor_names(call), call.tensors(), strict=True)
    return any(name not in written and _is_extreme(tensor) for name, tensor in pairs)


def _is_extreme(tensor: torch.Tensor) -> bool:
    if not tensor.dtype.is_floating_point or not tensor.numel():
        return False
    # One-byte floats are codes of a quantisation, drawn over their whole range.
    if tensor.dtype.itemsize == 1:
        return False
    largest = torch.finfo(tensor.dtype).max * _NEAR_THE_LARGEST
    sizes = tensor.detach().abs().double()
    return not bool((sizes < largest).all())  # NaN is less than nothing


def _is_degenerate(_task: Task, call: Call) -> bool:
    tensors = call.tensors()
    return any(not one.numel() for one in tensors) or bool(tensors and tensors[0].numel() == 1)


def _is_inexact(tensor: torch.Tensor) -> bool:
    return tensor.dtype.is_floating_point or tensor.dtype.is_complex
