"""The arguments of one call, as values that can be copied, widened and sent away."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import torch

_WIDE = {
    torch.float16: torch.float64,
    torch.bfloat16: torch.float64,
    torch.float32: torch.float64,
    torch.complex64: torch.complex128,
}


_RESEEDS = (0, 1, 0, 1 << 16, 1 << 31)
"""Added to generators' seeds in repeated calls: another seed, the first one again, then seeds that
differ in high bits only. (On the host torch itself looks at 32 bits.)"""


@dataclass(frozen=True)
class GeneratorSeed:
    """Stands for a `torch.Generator`, built on the device of the process that makes the call."""

    seed: int


@dataclass(frozen=True)
class CaseDevice:
    """Stands for the device that the case runs on."""


@dataclass(frozen=True)
class Call:
    """Positional and keyword arguments; for a module also what it is built from."""

    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    init: tuple[Any, ...] = ()
    """Constructor arguments, for tasks given as a module."""
    state: Mapping[str, torch.Tensor] = field(default_factory=dict)
    """Seeded parameters, for tasks given as a module."""

    def copy(self) -> "Call":
        """Same values, strides and shared storages; nothing shared with the original."""
        copied: dict[int, torch.Tensor] = {}
        return self.map_tensors(lambda tensor: _clone_tensor(tensor, copied))

    def widen(self) -> "Call":
        """Floating tensors in float64, complex ones in complex128; nothing shared, as in `copy`."""
        copied: dict[int, torch.Tensor] = {}

        def wide(tensor: torch.Tensor) -> torch.Tensor:
            if tensor.dtype in _WIDE:
                return tensor.detach().to(_WIDE[tensor.dtype])
            return _clone_tensor(tensor, copied)

        return self.map_tensors(wide)

    def concrete(self, device: str | None = None) -> "Call":
        """Stand-ins replaced by real generators and devices; None: where the tensors lie."""
        where = str(self.device) if device is None else device
        return self._map_values(lambda value: _concrete(value, where))

    @property
    def device(self) -> torch.device:
        """Where the tensors lie; the host if there are none."""
        return next((tensor.device for tensor in self.tensors()), torch.device("cpu"))

    def repeat(self, number: int) -> "Call":
        """The same call for the n-th time: the second has other generators, the third the first."""
        by = _reseed(number)
        return self._map_values(
            lambda value: (
                GeneratorSeed(value.seed + by) if isinstance(value, GeneratorSeed) else value
            )
        )

    def map_tensors(self, change: Callable[[torch.Tensor], torch.Tensor]) -> "Call":
        """Every tensor, however deeply nested, replaced by `change(tensor)`."""
        return self._map_values(
            lambda value: change(value) if isinstance(value, torch.Tensor) else value
        )

    def tensors(self) -> tuple[torch.Tensor, ...]:
        """All tensors in the order of the arguments."""
        found: list[torch.Tensor] = []

        def note(tensor: torch.Tensor) -> torch.Tensor:
            found.append(tensor)
            return tensor

        self.map_tensors(note)
        return tuple(found)

    def _map_values(self, change: Callable[[Any], Any]) -> "Call":
        return replace(
            self,
            args=tuple(_walk(value, change) for value in self.args),
            kwargs={name: _walk(value, change) for name, value in self.kwargs.items()},
            init=tuple(_walk(value, change) for value in self.init),
            state={name: _walk(value, change) for name, value in self.state.items()},
        )


def same_generators(number: int) -> int:
    """The first repetition that has the generators of this one."""
    return [_reseed(earlier) for earlier in range(number + 1)].index(_reseed(number))


def _reseed(number: int) -> int:
    return _RESEEDS[number] if number < len(_RESEEDS) else number


def call(*args: Any, **kwargs: Any) -> Call:
    """The call `f(*args, **kwargs)`."""
    return Call(args=args, kwargs=kwargs)


def _walk(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, torch.Size):
        return value
    if isinstance(value, tuple | list):
        return type(value)(_walk(item, change) for item in value)
    return change(value)


def _concrete(value: Any, device: str) -> Any:
    if isinstance(value, GeneratorSeed):
        return torch.Generator(device).manual_seed(value.seed)
    if isinstance(value, CaseDevice):
        return torch.device(device)
    return value


def _clone_tensor(tensor: torch.Tensor, copied: dict[int, torch.Tensor]) -> torch.Tensor:
    storage = tensor.untyped_storage()
    key = storage.data_ptr() if storage.nbytes() else id(storage)
    if key not in copied:
        whole = torch.empty(0, dtype=torch.uint8, device=tensor.device).set_(storage)
        copied[key] = whole.clone()
    fresh = torch.empty(0, dtype=tensor.dtype, device=tensor.device)
    return fresh.set_(
        copied[key].untyped_storage(), tensor.storage_offset(), tensor.shape, tensor.stride()
    )
