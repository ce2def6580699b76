"""Builds the module of a submission: under a seed, in the dtype and on the device of its call."""

import hashlib
import json
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import torch

from .binding import Binding, arrange
from .order import Arguments, Order
from .weights import Route, WeightFit, fit_weights, held_by, take_copies


class NoForward(TypeError):
    """The entry constructed an object that is no module."""


@dataclass(frozen=True)
class ReadyModule:
    """A module that is ready to be called."""

    module: Any
    route: Route

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with torch.no_grad():
            return self._callable(*args, **kwargs)

    @property
    def _callable(self) -> Callable[..., Any]:
        """The object to call: one that is no `nn.Module` is called by its `forward`."""
        called: Callable[..., Any] = (
            self.module if isinstance(self.module, torch.nn.Module) else self.module.forward
        )
        return called

    @property
    def tensors(self) -> list[torch.Tensor]:
        """The tensors that the module keeps."""
        return list(held_by(self.module).all.values())


def build(
    kind: Callable[..., Any],
    arguments: Arguments,
    device: str | torch.device,
    give: Callable[[WeightFit], None] = take_copies,
    binding: Binding | None = None,
) -> ReadyModule:
    """The module with its weights: given ones, or those of the seed that the call names."""
    if arguments.weights_seed is not None:
        # On the host alone: where the judge draws the same weights, no GPU is used.
        torch.default_generator.manual_seed(arguments.weights_seed)
    given = arguments.state and arguments.loads and arguments.weights_seed is None
    with _drawing_nothing() if given else nullcontext():
        args, kwargs = arrange(binding, arguments.init, {})
        module = kind(*args, **kwargs)
    if not callable(getattr(module, "forward", None)):
        raise NoForward(f"{type(module).__name__} has no `forward`")
    module = _move_module(module, torch.device(device), _dtype_of(arguments))
    seeded: Route = "" if arguments.weights_seed is None else "seed"
    if not arguments.state or not arguments.loads:
        return ReadyModule(module, seeded)
    fit = fit_weights(module, arguments.state, arguments.buffers)
    give(fit)
    return ReadyModule(module, seeded or fit.route)


_DRAWING = (
    "uniform_", "normal_", "trunc_normal_", "xavier_uniform_", "xavier_normal_",
    "kaiming_uniform_", "kaiming_normal_", "orthogonal_", "sparse_",
)  # fmt: skip


@contextmanager
def _drawing_nothing() -> Iterator[None]:
    """Skip drawing the weights of layers: they are set later, and large ones take seconds."""
    known = {name: getattr(torch.nn.init, name) for name in _DRAWING}

    def keep_unchanged(tensor: torch.Tensor, *_args: Any, **_kwargs: Any) -> torch.Tensor:
        return tensor

    try:
        for name in known:
            setattr(torch.nn.init, name, keep_unchanged)
        yield
    finally:
        for name, function in known.items():
            setattr(torch.nn.init, name, function)


def set_tf32(on: bool | None) -> None:
    """Whether torch's own float32 products and convolutions round to TF32; None: as it does."""
    if on is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # silences the remark that there are newer switches
            torch.backends.cuda.matmul.allow_tf32 = on
            torch.backends.cudnn.allow_tf32 = on


def _dtype_of(arguments: Arguments) -> torch.dtype | None:
    """The dtype of the first floating input, else of the first floating weight."""
    given = [*arguments.args, *arguments.kwargs.values(), *arguments.state.values()]
    for one in given:
        if isinstance(one, torch.Tensor) and one.is_floating_point():
            return one.dtype
    return None


def _move_module(module: Any, device: torch.device, dtype: torch.dtype | None) -> Any:
    if isinstance(module, torch.nn.Module):
        return module.to(device, dtype)
    for name, value in list(getattr(module, "__dict__", {}).items()):
        if isinstance(value, torch.nn.Module):
            setattr(module, name, value.to(device, dtype))
        elif isinstance(value, torch.Tensor):
            floats = dtype if value.is_floating_point() else None
            setattr(module, name, value.detach().to(device, floats or value.dtype))
    return module


class Modules:
    """The modules of an order: one for all calls whose arguments and weights are the same.

    So users call a module, too: what it keeps from one call shows in the next.
    """

    def __init__(self, kind: Callable[..., Any], order: Order) -> None:
        self._kind, self._order = kind, order
        self._keys = [_key(order, call) for call in order.calls]
        self._waiting = Counter(self._keys)
        self._built: dict[str, ReadyModule] = {}

    def of(self, index: int, arguments: Arguments) -> ReadyModule:
        """The module of a call; built now, or for an earlier call."""
        key = self._keys[index]
        if key not in self._built:
            device, binding = self._order.claimed_device, self._order.binding["init"]
            self._built[key] = build(self._kind, arguments, device, binding=binding)
        return self._built[key]

    def release(self, index: int) -> None:
        """End a call: free what no later one needs."""
        key = self._keys[index]
        self._waiting[key] -= 1
        if not self._waiting[key]:
            self._built.pop(key, None)


def _key(order: Order, call: dict[str, Any]) -> str:
    """Key of everything that a module is built from."""
    digest = hashlib.blake2b(digest_size=16)
    made = [call.get("init") or (), call.get("weights_seed"), call.get("loads")]
    digest.update(json.dumps(made, sort_keys=True).encode())
    for name, described in sorted((call.get("state") or {}).items()):
        form = [name, *(described[part] for part in ("dtype", "shape", "strides", "offset"))]
        digest.update(json.dumps(form).encode())
        for part in _bytes_of(order, described):
            digest.update(part)
    return digest.hexdigest()


def _bytes_of(order: Order, described: dict[str, Any]) -> Iterator[memoryview]:
    start, length = order.header["storages"][int(described["storage"])]
    yield order.payload[start : start + length]
