"""A card that is not there: tensors of the host that count as lying on one.

Inside the mode `device="cuda"` gives a tensor of the host whose storage is remembered as the
card's. Where both kinds meet, torch would refuse, and so does the mode; a number without
dimensions may mix, as in torch. What makes the host wait for the card is counted.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from torch.overrides import TorchFunctionMode

CARD = torch.device("cuda:0")
_HostGenerator = torch.Generator
# Between two devices, or nothing but a look at the description of a tensor.
_CROSSES = {"copy_", "to", "type", "cpu", "cuda", "_has_compatible_shallow_copy_type"}
_WAITS = {
    *("item", "__int__", "__float__", "__bool__", "__index__", "__complex__", "tolist", "equal"),
    *("nonzero", "masked_select", "unique", "_unique2", "unique_consecutive", "cpu", "allclose"),
    *("__contains__", "repeat_interleave", "bincount", "__format__", "__repr__"),
}
MOST_PIECES = 64
_FORBIDDEN = {"numpy", "__array__", "__iter__"}


class PretendGenerator(_HostGenerator):
    """A generator that knows its pretended device."""

    def __new__(cls, device: Any = "cpu") -> "PretendGenerator":
        made: PretendGenerator = super().__new__(cls, "cpu")  # type: ignore[call-arg]
        made.on_card = torch.device(device).type == "cuda"
        return made

    on_card: bool

    @property
    def device(self) -> torch.device:  # type: ignore[override]
        return CARD if self.on_card else torch.device("cpu")


class PretendCard(TorchFunctionMode):
    """Remembers which storages lie on the card, and what was done with them."""

    def __init__(self) -> None:
        super().__init__()
        self._storages: dict[int, torch.UntypedStorage] = {}
        self.waits = 0
        self.largest_to_host = 0
        """Elements of the largest tensor that was taken from the card."""

    def has(self, tensor: torch.Tensor) -> bool:
        """Whether the tensor lies on the card."""
        with torch._C.DisableTorchFunction():
            return tensor.untyped_storage()._cdata in self._storages

    def put(self, tensor: torch.Tensor) -> torch.Tensor:
        """The same tensor, from now on the card's."""
        with torch._C.DisableTorchFunction():
            storage = tensor.untyped_storage()
            self._storages[storage._cdata] = storage
        return tensor

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        kwargs = dict(kwargs or {})
        name = getattr(func, "__name__", "")
        if func is torch.device:
            return func(*args, **kwargs)
        tensors = list(_tensors((args, kwargs)))
        if name == "__get__":
            return self._attribute(func, args)
        met = [self.has(tensor) for tensor in tensors if tensor.dim() > 0]
        on_card = any(self.has(tensor) for tensor in tensors)
        if name not in _CROSSES and len(set(met)) == 2:
            raise RuntimeError(f"tensors on different devices in {name}")
        if on_card:
            self._watched(name, args)
        wanted, args, kwargs = _device(args, kwargs)
        if wanted == "meta" or (name in ("cuda", "cpu") and not tensors):
            return func(*args, **kwargs)
        generator = kwargs.get("generator")
        lies = on_card if wanted is None else wanted == "cuda"
        if isinstance(generator, PretendGenerator) and generator.on_card != lies:
            raise RuntimeError(f"a generator of another device in {name}")
        result = func(*args, **kwargs)
        if name in ("to", "cpu", "copy_", "type") and tensors:
            return self._moved(name, tensors, lies if name != "cpu" else False, result)
        for tensor in _tensors(result) if lies else ():
            self.put(tensor)
        return result

    def _attribute(self, func: Callable[..., Any], args: Any) -> Any:
        value = func(*args)
        of = getattr(func, "__self__", None)
        asked = getattr(of, "__name__", "")
        if not isinstance(args[0], torch.Tensor) or not self.has(args[0]):
            return value
        if asked == "device":
            return CARD
        if asked == "is_cuda":
            return True
        return value

    def set_(self, tensor: torch.Tensor, storage: torch.UntypedStorage, *rest: Any) -> Any:
        """In place of `Tensor.set_`, which passes by every mode: both of one device."""
        if (storage._cdata in self._storages) != self.has(tensor):
            raise RuntimeError("a tensor and a storage on different devices in set_")
        with torch._C.DisableTorchFunction():
            return torch._C.TensorBase.set_(tensor, storage, *rest)

    def _watched(self, name: str, args: Any) -> None:
        if name in _FORBIDDEN:
            raise RuntimeError(f"{name} of a tensor on the card")
        if name == "unbind" and args[0].shape[args[1] if len(args) > 1 else 0] > MOST_PIECES:
            raise RuntimeError("a loop over the elements of a tensor on the card")
        boolean = name in ("__getitem__", "__setitem__") and _has_mask(args[1])
        if name in _WAITS or boolean:
            self.waits += 1
        if name in ("cpu", "tolist"):
            self._taken(args[0])

    def _taken(self, tensor: torch.Tensor) -> None:
        self.largest_to_host = max(self.largest_to_host, tensor.numel())

    def _moved(self, name: str, tensors: Sequence[torch.Tensor], card: bool, result: Any) -> Any:
        """The result of a copy; another device is another storage."""
        first = tensors[0]
        if name == "copy_":
            if self.has(tensors[1]) and not self.has(first):
                self._taken(tensors[1])
            return result
        if name == "to" and len(tensors) > 1:  # x.to(other)
            card = self.has(tensors[1])
        if self.has(first) and not card:
            self._taken(first)
        if card == self.has(result):
            return result
        with torch._C.DisableTorchFunction():
            fresh = result.clone()
        return self.put(fresh) if card else fresh


@contextmanager
def pretended(monkeypatch: pytest.MonkeyPatch) -> Iterator[PretendCard]:
    """The mode switched on, with generators to match."""
    monkeypatch.setattr(torch, "Generator", PretendGenerator)
    with PretendCard() as card:
        monkeypatch.setattr(torch.Tensor, "set_", lambda *given: card.set_(*given), raising=False)
        yield card


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        yield from _tensors(tuple(value.values()))
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _tensors(item)


def _has_mask(index: Any) -> bool:
    return any(tensor.dtype == torch.bool for tensor in _tensors(index))


def _device(args: Any, kwargs: dict[str, Any]) -> tuple[str | None, Any, dict[str, Any]]:
    """The device that is asked for, and the arguments with the host in its place."""
    wanted: str | None = None

    def host(value: Any) -> Any:
        nonlocal wanted
        if isinstance(value, torch.device):
            wanted = value.type
        elif isinstance(value, str) and value.partition(":")[0] in ("cuda", "cpu"):
            wanted = value.partition(":")[0]
        else:
            return value
        return torch.device("cpu") if wanted == "cuda" else value

    args = tuple(host(value) for value in args)
    if kwargs.get("device") is not None:
        kwargs["device"] = host(kwargs["device"])
    return wanted, args, kwargs
