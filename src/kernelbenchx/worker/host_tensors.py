"""Distinguishes tensors in host memory from those on the GPU while all of them lie on the host.

A GPU's kernel cannot read what a submission makes without naming a device or copies with `.cpu()`.
The mark of a tensor is an attribute of its storage, so views have it too and it ends with the
memory. A tensor whose origin is unclear has no mark and is never refused.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import torch
from torch.utils import _device

Place = Literal["cpu", "cuda"]

_MARK = "_place"
_LIKE_ANOTHER = frozenset({torch.Tensor.to, torch.Tensor.type_as})
_MOVES = {torch.Tensor.cpu: "cpu", torch.Tensor.cuda: "cuda"}
_UNKNOWN = "unknown"
"""Not known, or memory of both, as pinned memory is."""
_SAME_DEVICE = frozenset(
    {
        *(f"__{before}{name}__" for before in ("", "r", "i") for name in ("add", "sub", "mul")),
        *("__truediv__", "__rtruediv__", "__itruediv__", "__div__", "__rdiv__", "__idiv__"),
        *("add", "sub", "mul", "div", "add_", "sub_", "mul_", "div_", "maximum", "minimum"),
        *("matmul", "__matmul__", "__rmatmul__", "mm", "bmm", "linear", "cat", "stack"),
    }
)
"""Operators that take no tensors of two devices, unless one of them is a number of the host."""


def mark(tensors: Iterable[torch.Tensor], place: Place) -> None:
    """Note where the memory of these would be on a machine with a GPU."""
    for tensor in tensors:
        storage = _storage_of(tensor)
        if storage is not None:
            setattr(storage, _MARK, place)


def is_on_host(tensor: torch.Tensor) -> bool:
    """Whether a GPU could not read it; False where that is not known."""
    return _place_of(tensor) == "cpu"


def refuse_launch(values: Iterable[Any]) -> None:
    """Raise what Triton raises where an argument of a launch lies in host memory."""
    for number, value in enumerate(_flat(values)):
        tensor = value if isinstance(value, torch.Tensor) else getattr(value, "base", None)
        if isinstance(tensor, torch.Tensor) and is_on_host(tensor) and tensor.data_ptr():
            raise ValueError(
                f"Pointer argument (at {number}) cannot be accessed from Triton (cpu tensor?)"
            )


def refuse_operator(func: Any, args: Any, named: dict[str, Any]) -> None:
    """Raise what torch raises where an operator is given tensors of both devices."""
    if getattr(func, "__name__", "") not in _SAME_DEVICE:
        return
    given = [tensor for tensor in _tensors((args, named)) if tensor.dim()]
    if {"cpu", "cuda"} <= {_place_of(tensor) for tensor in given}:
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, "
            "cuda:0 and cpu!"
        )


def destination(func: Any, args: Any, named: dict[str, Any]) -> str | None:
    """Type of the device that a function of torch is asked to put its result on, if it is."""
    if func is torch.Tensor.pin_memory or named.get("pin_memory"):
        return _UNKNOWN
    if func in _MOVES:
        return _MOVES[func]
    if func is torch.Tensor.type and len(args) > 1 and not isinstance(args[1], torch.dtype):
        return _UNKNOWN  # the name of a type says the device as well
    device = named.get("device")
    if func in _LIKE_ANOTHER:
        other = named.get("other", args[1] if len(args) > 1 else None)
        if isinstance(other, torch.Tensor):
            return _place_of(other) or _UNKNOWN
        if isinstance(other, str | torch.device) or type(other) is int:
            device = other
    if func is torch.Tensor.type_as:
        return None
    if device is None and makes_tensors(func):
        device = _device.CURRENT_DEVICE
    if device is None:
        return None
    # A bare number is a CUDA device as well.
    return "cuda" if type(device) is int else torch.device(device).type


def makes_tensors(func: Any) -> bool:
    """Whether the default device decides where its result lies."""
    return func in _device._device_constructors()


def settle(func: Any, args: Any, named: dict[str, Any], result: Any) -> Any:
    """The result of a function of torch, marked; what was to change its device is a copy."""
    given = list(_tensors((args, named)))
    wanted = destination(func, args, named)
    if wanted is None:
        _mark_alike(func, given, result)
    elif isinstance(result, torch.Tensor) and _place_of(result) != wanted:
        if _is_among(result, given):
            if wanted != "cpu" and not is_on_host(result):
                return result
            result = result.clone()
        if wanted in ("cpu", "cuda"):
            mark([result], "cpu" if wanted == "cpu" else "cuda")
    return result


def _mark_alike(func: Any, given: list[torch.Tensor], result: Any) -> None:
    """What is computed from tensors of one place lies there; what comes from none, on the host."""
    places = {_place_of(tensor) for tensor in given}
    if not given and makes_tensors(func):
        places = {"cpu"}
    made = [one for one in _tensors(result) if _place_of(one) is None]
    if len(places) == 1 and made:
        (place,) = places
        if place is not None:
            mark((one for one in made if not _is_among(one, given)), place)


def _is_among(tensor: torch.Tensor, others: Iterable[torch.Tensor]) -> bool:
    storage = _storage_of(tensor)
    return storage is not None and any(_storage_of(other) is storage for other in others)


def _place_of(tensor: torch.Tensor) -> Place | None:
    return getattr(_storage_of(tensor), _MARK, None)


def _storage_of(tensor: torch.Tensor) -> Any:
    """The one object that stands for the memory of a tensor, or None where it has none."""
    with torch._C.DisableTorchFunction():
        try:
            return tensor.untyped_storage()
        except (NotImplementedError, RuntimeError):  # sparse, or a wrapper of torch's own
            return None


def _tensors(value: Any, depth: int = 0) -> Iterator[torch.Tensor]:
    """Tensors in the arguments of a function and in lists there; deeper are only numbers."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, list | tuple) and depth < 3:
        for item in value:
            yield from _tensors(item, depth + 1)
    elif isinstance(value, dict) and depth < 3:
        yield from _tensors(list(value.values()), depth + 1)


def _flat(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, tuple):
            yield from _flat(value)
        else:
            yield value
