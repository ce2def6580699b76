"""Recognises wrong values of products of TF32 operands by recomputing them."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import torch

from kernelbenchx.spec.call import Call
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.contract import Evidence
from kernelbenchx.spec.task import Task
from kernelbenchx.worker.dispatch import Mode

SEEN = "consistent with TF32 products: a tl.dot of float32 blocks used TF32"
CUT = "consistent with TF32 products: float32 operands cut to 11 significant bits"
ROUNDED = "consistent with TF32 or float16 products: float32 operands rounded to 11 bits"
"""Rounded to the nearest, both have the same bits."""
MOST_ELEMENTS = 1 << 24
"""Largest call in elements: the truth is computed again several times."""
MOST_OPERANDS = 6
_PRODUCTS = frozenset(
    {"mm", "addmm", "bmm", "baddbmm", "mv", "addmv", "dot", "vdot", "convolution"}
)
_LOW_BITS = 13


def tf32_words(task: Task, evidence: Evidence, *, seen: bool = False) -> str:
    """Which rounding of two operands makes every output right; empty where none does.

    Where the interpreter has `seen` TF32 products, operands may be values of the kernel's own:
    then errors that the budget for TF32 would allow are enough.
    """
    contract = task.contract
    if not isinstance(contract, Close) or contract.tf32:
        return ""
    operands = _operands(task, evidence.call)
    size = sum(tensor.numel() for tensor in evidence.call.tensors())
    if not 2 <= len(operands) <= MOST_OPERANDS or size > MOST_ELEMENTS:
        return ""
    if not replace(contract, tf32=True).judge(evidence).ok:
        return ""  # further off than TF32 can be
    if seen:
        return SEEN
    if not _multiplies(task, evidence.call):
        return ""
    for words, rounded in _roundings(evidence.call, operands):
        truth = tuple(leaf.value for leaf in task.exact(rounded).leaves)
        if contract.judge(replace(evidence, truth=truth)).ok:
            return words
    return ""


def _operands(task: Task, call: Call) -> list[int]:
    """Places of the float32 tensors that a call is given to read."""
    named = zip(task.tensor_names(call), call.tensors(), strict=True)
    return [
        at
        for at, (name, tensor) in enumerate(named)
        if tensor.dtype == torch.float32 and tensor.numel() and name not in task.writes
    ]


def _roundings(call: Call, operands: list[int]) -> Iterator[tuple[str, Call]]:
    for pair in combinations(operands, 2):
        for words, half in ((CUT, 0), (ROUNDED, 1 << (_LOW_BITS - 1))):
            yield words, _with_short(call, pair, half)


def _with_short(call: Call, places: tuple[int, ...], half: int) -> Call:
    """The call with these tensors at eleven significant bits; `half` rounds instead of cutting."""
    numbers = iter(range(len(call.tensors())))

    def short(tensor: torch.Tensor) -> torch.Tensor:
        if next(numbers) not in places:
            return tensor
        bits = tensor.contiguous().view(torch.int32)
        cut = ((bits + half) & -(1 << _LOW_BITS)).view(torch.float32)
        return torch.where(tensor.isfinite(), cut, tensor)

    return call.map_tensors(short)


def _multiplies(task: Task, call: Call) -> bool:
    """Whether the reference multiplies matrices: elsewhere nothing is a product of operands."""
    with _ProductWatch() as watch:  # type: ignore[no-untyped-call]
        task.native(call)
    return bool(watch.seen)


class _ProductWatch(Mode):  # type: ignore[no-untyped-call]
    """Notes products of matrices."""

    seen: bool = False

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        del types
        self.seen |= func.overloadpacket.__name__ in _PRODUCTS
        return func(*args, **(kwargs or {}))
