"""Torch operators as steps of a plan: allocations, fills and copies; others prevent a replay."""

from collections.abc import Callable
from typing import Any

import torch

from ..dispatch import Mode, find_body
from ..values import encode
from .recorded_memory import NotReplayable
from .recorded_steps import READS, RecordedSteps

Step = dict[str, Any]

_BARE = {
    "aten.empty.memory_format",
    "aten.empty_strided.default",
    "aten.empty_like.default",
    "aten.new_empty.default",
    "aten.new_empty_strided.default",
}
_FILLED: dict[str, int | None] = {
    "aten.zeros.default": 0,
    "aten.zeros_like.default": 0,
    "aten.new_zeros.default": 0,
    "aten.ones.default": 1,
    "aten.ones_like.default": 1,
    "aten.new_ones.default": 1,
    "aten.full.default": None,
    "aten.full_like.default": None,
    "aten.new_full.default": None,
    "aten.scalar_tensor.default": None,
}
"""Operators that make memory with one number in it; without a number here, the caller names it."""
_COPIES = {"aten.clone.default", "aten._to_copy.default"}
_TO_THE_HOST = {*_COPIES, "aten.copy_.default"}
_FREE = {
    "aten._unsafe_view.default",
    "aten.t_.default",
    "aten.transpose_.default",
    "aten.squeeze_.default",
    "aten.squeeze_.dim",
    "aten.unsqueeze_.default",
    "aten.detach_.default",
}
"""Views that torch does not call so: they touch no memory."""
_READING = {torch.Tag.data_dependent_output, torch.Tag.dynamic_output_shape}
"""Operators whose result, or its size, the host has to know before it can go on."""
_INDEXED = {
    "aten.index.Tensor",
    "aten.index_put.default",
    "aten.index_put_.default",
    "aten._index_put_impl_.default",
}
_MASKS = {torch.bool, torch.uint8}
"""Dtypes of masks: as indices, their selected elements are counted first."""


class OperatorSteps(Mode):
    """Records every operator of a call on its way through torch."""

    def __init__(self, notes: RecordedSteps) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._notes = notes
        self._memory = notes.memory
        self._numbers: list[tuple[torch.Tensor, Any]] = []
        """Tensors of the host with one number each."""
        self._in_place: dict[str, Callable[..., Step | None]] = {
            "aten.zero_.default": lambda target: self._fill(target, 0),
            "aten.fill_.Scalar": self._fill,
            "aten.fill_.Tensor": self._copy,
            "aten.copy_.default": lambda target, source, *_: self._copy(target, source),
        }

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        named = kwargs or {}
        if body := find_body(func):
            with self:
                return body(*args, **named)
        result = func(*args, **named)
        if not self._notes.paused and self._reads(func, args, result):
            self._notes.reads = True
        self._notes.note(lambda: self._step(func, args, named, result))
        return result

    def _step(self, func: Any, args: Any, named: dict[str, Any], result: Any) -> Step | None:
        name = str(func)
        if name == "aten.lift_fresh.default":
            self._note_host_numbers(result)
            return None
        if name in _FREE or getattr(func, "is_view", False):
            return None
        if name in _FILLED:
            return self._note_fill(result, _number(name, args, named))
        if name in _BARE or name in _COPIES:
            self._memory.note_allocation(result)
            return self._copy(result, args[0]) if name in _COPIES else None
        if name in self._in_place:
            return self._in_place[name](*args)
        raise NotReplayable(_reason(func, name))

    def _reads(self, func: Any, args: Any, result: Any) -> bool:
        name = str(func)
        if name in _INDEXED:
            return any(one is not None and one.dtype in _MASKS for one in args[1])
        if name == "aten._linalg_check_errors.default" or _READING & set(getattr(func, "tags", ())):
            return True
        if name not in _TO_THE_HOST:
            return False
        target, source = (args[0], args[1]) if result is args[0] else (result, args[0])
        return self._memory.elsewhere(target) and not self._memory.elsewhere(source)

    def _note_fill(self, result: torch.Tensor, number: Any) -> Step | None:
        if self._memory.elsewhere(result):
            self._note_host_numbers(result)
            return None
        self._memory.note_allocation(result)
        return self._fill(result, number)

    def _note_host_numbers(self, tensor: torch.Tensor) -> None:
        """Note a tensor from numbers of the host: one number may be filled in, more are refused."""
        self._memory.foreign(tensor, "makes a tensor from numbers of the host")
        with torch._C.DisableTorchFunction():
            if tensor.device.type == "cpu" and tensor.numel() == 1:
                self._numbers.append((tensor, tensor.item()))

    def _fill(self, target: torch.Tensor, number: Any) -> Step | None:
        value = encode(number, _no_tensor)
        if value["t"] not in ("int", "float", "bool", "complex"):
            raise NotReplayable("fills memory with what is no number")
        return _unless_empty({"t": "fill", "target": self._memory.view(target), "value": value})

    def _copy(self, target: torch.Tensor, source: torch.Tensor) -> Step | None:
        for known, number in self._numbers:
            if known is source:
                return self._fill(target, number)
        with torch._C.DisableTorchFunction():
            if target.device != source.device:
                raise NotReplayable("copies between the host and the GPU")
            shown = source.expand(target.shape)
        views = self._memory.view(target), self._memory.view(shown)
        return _unless_empty({"t": "copy", "target": views[0], "source": views[1]})


def _unless_empty(step: Step) -> Step | None:
    return None if 0 in step["target"]["shape"] else step


def _number(name: str, args: Any, named: dict[str, Any]) -> Any:
    fixed = _FILLED[name]
    if fixed is not None:
        return fixed
    if "fill_value" in named:
        return named["fill_value"]
    return args[{"aten.new_full.default": 2, "aten.scalar_tensor.default": 0}.get(name, 1)]


def _reason(func: Any, name: str) -> str:
    short = name.rpartition(".")[0] or name
    if torch.Tag.data_dependent_output in getattr(func, "tags", ()):
        return READS
    if torch.Tag.nondeterministic_seeded in getattr(func, "tags", ()):
        return f"draws random numbers ({short})"
    return f"torch operator {short}"


def _no_tensor(_tensor: torch.Tensor) -> dict[str, Any]:
    return {"t": "tensor"}
