"""Which torch operators ran during a call, and what fresh memory holds."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from .data_flow import DataFlow
from .dispatch import Mode
from .operator_work import count_work
from .provenance import tensors_in
from .red_zones import RedZones

_UNINITIALISED = {
    "aten.empty.memory_format",
    "aten.empty_strided.default",
    "aten.empty_like.default",
    "aten.new_empty.default",
    "aten.new_empty_strided.default",
}

_FRESH = _UNINITIALISED | {
    "aten.zeros.default",
    "aten.zeros_like.default",
    "aten.ones.default",
    "aten.ones_like.default",
    "aten.full.default",
    "aten.full_like.default",
    "aten.new_zeros.default",
    "aten.new_ones.default",
    "aten.new_full.default",
}


_REVEALING = {torch.Tag.data_dependent_output, torch.Tag.dynamic_output_shape}
"""Tags of operators whose result, or its shape, shows values to the host."""

_LIFTED = "aten.lift_fresh.default"
"""A tensor that torch built from Python's numbers, and calls a view."""


class OperatorTrace(Mode):
    """Counts operators, notes what they do to values, and fills what `torch.empty` returns.

    A kernel that leaves part of its output unwritten must not profit from what lay there before.
    """

    def __init__(
        self,
        fill: Callable[[torch.Tensor], None],
        flow: DataFlow | None = None,
        zones: RedZones | None = None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.operators: Counter[str] = Counter()
        self.work: Counter[str] = Counter()
        """What each operator computed in all, as `count_work` has it."""
        self._fill = fill
        self._flow = flow or DataFlow()
        self._zones = zones or RedZones(0)
        self._flow.size_of = self._zones.size_of

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = str(func)
        if name == _LIFTED:
            self._flow.lift(args)
        if getattr(func, "is_view", False):
            self.operators[name] += 1
            return func(*args, **(kwargs or {}))  # touches no memory
        memory = self._flow.memory
        memory.before((args, kwargs))
        result = call_operator(func, name, args, kwargs or {})
        if name in _UNINITIALISED:
            self._fill(result)
        if name in _FRESH:
            result = self._zones.guard_tensor(result)
        with torch._C.DisableTorchFunction():
            self._flow.operator(name, (args, kwargs), result)
            if not _REVEALING.isdisjoint(func.tags):
                self._flow.read(tensors_in((args, kwargs)))
            if not self._flow.is_of_numbers((args, kwargs), result):
                self.operators[name] += 1
                self.work[name] += count_work(name, (args, kwargs), result)
        memory.after((args, kwargs, result))
        return result


def poison(tensor: torch.Tensor) -> None:
    """NaN in floats, a large odd pattern in integers."""
    if not (tensor.is_floating_point() or tensor.is_complex() or tensor.dtype is torch.bool):
        tensor.fill_(torch.iinfo(tensor.dtype).max - 42)
    else:
        poison_mildly(tensor)


def poison_mildly(tensor: torch.Tensor) -> None:
    """NaN in floats, 1 in integers: where no kernel runs, a wrapper may take them for a size."""
    if tensor.numel() == 0:
        return
    if tensor.is_floating_point() or tensor.is_complex():
        if tensor.dtype.itemsize == 1:
            tensor.view(torch.uint8).fill_(0x7F)  # NaN in both float8 formats
        else:
            tensor.fill_(float("nan"))
    else:
        tensor.fill_(1)


def zero(tensor: torch.Tensor) -> None:
    """Where no kernel runs, buffers start as zeros: host code that looks at them sees those."""
    tensor.zero_()


_TRANSFORMS = {
    "aten._fft_c2c.default",
    "aten._fft_r2c.default",
    "aten._fft_c2r.default",
}


def call_operator(func: Any, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The result of the operator; a Fourier transform of an empty tensor is an empty tensor.

    A GPU takes empty tensors; torch built with MKL refuses them.
    """
    if name in _TRANSFORMS and args[0].numel() == 0:
        form = func(args[0].to("meta"), *args[1:], **kwargs)
        if form.numel() == 0:
            return torch.empty_like(form, device=args[0].device)
    return func(*args, **kwargs)
