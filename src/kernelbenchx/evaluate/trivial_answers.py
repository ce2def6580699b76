"""Finds the cases that an answer without any work would pass: they show nothing about a kernel."""

import math
from collections.abc import Callable, Iterator, Sequence

import torch

from kernelbenchx.judge.correctness import CaseTruth
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.contract import Contract, Evidence, Rung
from kernelbenchx.spec.outputs import Leaf
from kernelbenchx.spec.task import Task
from kernelbenchx.worker.tracing import poison

RUNG: Rung = "interpreter"
"""Its budgets are the wider ones: no device accepts an answer that is refused here."""
CONSTANTS = (0.0, 1.0, -1.0, float("nan"), float("inf"), float("-inf"))

Answer = tuple[torch.Tensor, ...]
"""A value for each output: what is returned, then arguments that a call may write."""


def passes_trivially(task: Task, call: Call, truth: CaseTruth, calls: int) -> bool:
    """Whether a constant, an argument, or memory that was never written is a right answer.

    Only values are compared: whether the right tensor was returned is no work either.
    """
    leaves = truth.native.leaves
    native = tuple(leaf.value for leaf in leaves)
    if not any(value.numel() for value in native):
        return True
    takes = _acceptance(task.contract, call, truth, native, calls)
    return any(map(takes, _trivial_answers(task, call, leaves, truth.native.returned)))


def _acceptance(
    contract: Contract, call: Call, truth: CaseTruth, native: Answer, calls: int
) -> Callable[[Answer], bool]:
    """Whether the contract accepts an answer; budgets, which take longest, are computed once."""
    if isinstance(contract, Close):
        dtypes = [value.dtype for value in native]
        budgets = contract.budgets(call, truth.exact, dtypes, RUNG)
        return lambda answer: contract.judge_with_budgets(answer, truth.exact, budgets, RUNG).ok
    return lambda answer: (
        contract.judge(Evidence(call, (answer,) * calls, truth.exact, native, RUNG)).ok
    )


def _trivial_answers(
    task: Task, call: Call, leaves: Sequence[Leaf], returned: int
) -> Iterator[Answer]:
    native = tuple(leaf.value for leaf in leaves)
    for constant in CONSTANTS:
        if all(_may_equal(value, constant) for value in native):
            yield tuple(torch.full_like(value, constant) for value in native)
    if all(_may_equal(value, math.nan) or not value.dtype.is_floating_point for value in native):
        yield tuple(map(_make_unwritten, native))
    # Nothing is written, and what is returned is zeros or an argument.
    untouched = tuple(leaf.value for leaf in task.collect_written(call))
    written = len(native) - returned
    if untouched and len(untouched) == written:
        yield tuple(map(torch.zeros_like, native[:returned])) + untouched
    for argument in call.tensors():
        if any(argument.numel() == value.numel() for value in native):
            filled = tuple(_filled_from(argument, value) for value in native)
            yield filled
            if untouched and len(untouched) == written:
                yield filled[:returned] + untouched


def _may_equal(value: torch.Tensor, constant: float) -> bool:
    """Whether to compare at all: a contract takes long, and no number is NaN or infinite."""
    if value.dtype.is_floating_point or value.dtype.is_complex:
        return math.isfinite(constant) or not bool(torch.isfinite(value).any())
    return constant in (0.0, 1.0) or (constant == -1.0 and value.dtype.is_signed)


def _make_unwritten(value: torch.Tensor) -> torch.Tensor:
    fresh = torch.empty_like(value)
    poison(fresh)
    return fresh


def _filled_from(argument: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """The argument in the output's form if it has as many elements, else zeros."""
    if argument.numel() != value.numel():
        return torch.zeros_like(value)
    if argument.dtype.is_complex and not value.dtype.is_complex:
        argument = argument.real
    return argument.detach().reshape(value.shape).to(value.dtype)
