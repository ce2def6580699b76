"""Tasks given as modules: how one is built, given weights, and called."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import torch
from torch import nn

from kernelbenchx.spec.call import Call
from kernelbenchx.spec.inputs import Draw

HOST = torch.device("cpu")


@dataclass(frozen=True)
class ModuleCall(Call):
    """A call of a module; its weights are in `state`, or come from a seed."""

    weights_seed: int | None = None
    """The module is built under this seed, so that its own weights are those of `state`."""
    buffers: tuple[str, ...] = ()
    """Names of `state` that are no parameters: a submission may do without them."""
    loads: bool = True
    """Whether `state` is loaded into the module of a submission."""


def made_from(call: Call) -> dict[str, Any]:
    """What an order says of a module beside its arguments and weights."""
    if not isinstance(call, ModuleCall):
        return {}
    return {
        "weights_seed": call.weights_seed,
        "buffers": list(call.buffers),
        "loads": call.loads,
    }


def buffers_of(module: nn.Module) -> tuple[str, ...]:
    """Names of a module's state that are no parameters."""
    parameters = dict(module.named_parameters(remove_duplicate=False))
    return tuple(name for name in module.state_dict() if name not in parameters)


def run_module(model: Callable[..., Any], call: Call) -> Any:
    """Build the module in the dtype of the call, load the weights, and call it."""
    with torch.no_grad():
        return build_module(model, call)(*call.args, **call.kwargs)


def build_module(model: Callable[..., Any], call: Call) -> nn.Module:
    """The module with the weights of the call, in training mode, as KernelBench's are."""
    module: nn.Module = build_under_seed(0, model, call.init, call.device)
    floats = [one.dtype for one in call.tensors() if one.is_floating_point()]
    module = module.to(call.device, floats[0] if floats else None)
    module.load_state_dict(dict(call.state))
    return module


def build_under_seed(
    seed: int,
    model: Callable[..., Any],
    init: tuple[Any, ...],
    device: torch.device = HOST,
) -> nn.Module:
    """A fresh module; the state of torch's own generators stays as it was.

    Large weights take a host seconds and a GPU no time; each has numbers of its own.
    """
    used = () if device.type == "cpu" else (device,)
    with torch.random.fork_rng(devices=used, device_type=device.type), device:
        torch.manual_seed(seed)
        module: nn.Module = model(*init)
    return module


def draw_weights(module: nn.Module, draw: Draw, dtype: torch.dtype) -> dict[str, torch.Tensor]:
    """Weights of a fresh module. Constant ones are drawn, too: a kernel that ignores one shows."""
    found = {}
    for name, value in module.state_dict().items():
        if not value.is_floating_point():
            found[name] = value.to(draw.device)
            continue
        there = value.to(draw.device)
        if _is_constant(value):
            # Variances stay positive, and scales away from zero.
            there = there + draw.uniform(value.shape, value.dtype, -0.4, 0.4)
        found[name] = there.to(dtype)
    return found


@dataclass(frozen=True)
class _ModuleKey:
    """A module and the arguments that it is built from, as a key."""

    model: Callable[..., Any]
    text: str
    init: tuple[Any, ...] = field(compare=False)


def seeded_state(
    seed: int, model: Callable[..., Any], init: tuple[Any, ...]
) -> dict[str, torch.Tensor]:
    """The state of a module that is built under a seed; large ones take long, so it is kept."""
    kept = _seeded_state(seed, _ModuleKey(model, repr(init), init))
    return {name: value.clone() for name, value in kept.items()}


@lru_cache(maxsize=2)
def _seeded_state(seed: int, making: _ModuleKey) -> dict[str, torch.Tensor]:
    return dict(build_under_seed(seed, making.model, making.init).state_dict())


def constants_of(model: Callable[..., Any], init: tuple[Any, ...]) -> tuple[str, ...]:
    """Names of the parameters that no seed changes."""
    return _constants(_ModuleKey(model, repr(init), init))


@lru_cache(maxsize=256)
def _constants(making: _ModuleKey) -> tuple[str, ...]:
    one, other = (build_under_seed(seed, making.model, making.init) for seed in (0, 1))
    pairs = zip(one.named_parameters(), other.named_parameters(), strict=True)
    return tuple(name for (name, this), (_, that) in pairs if torch.equal(this, that))


def _is_constant(value: torch.Tensor) -> bool:
    return value.numel() > 0 and bool((value == value.flatten()[0]).all())
