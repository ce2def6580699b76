"""One call of a published problem: arguments, weights, and what is true of them."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import nn

from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.intermediates import Intermediates
from kernelbenchx.spec.modules import (
    ModuleCall,
    buffers_of,
    build_under_seed,
    constants_of,
    draw_weights,
    run_module,
    seeded_state,
)
from kernelbenchx.spec.outputs import Leaf, flatten
from kernelbenchx.spec.problem import DTYPES, ROUNDINGS, Precision

KINDS = ("normal", "wide", "published")
_WIDE = 10.0


@dataclass(frozen=True)
class DrawRequest:
    """Which call."""

    values: str
    inputs_seed: int
    weights_seed: int
    weights: str = "drawn"
    """As `Problem.weights`."""
    precision: Precision = "fp32"
    moves: bool = True
    """Whether the budget is asked for."""


@dataclass(frozen=True)
class DrawnCall:
    """A call with its answer."""

    call: ModuleCall
    native: tuple[Leaf, ...]
    """What torch gives in the dtype of the call."""
    truth: tuple[torch.Tensor, ...]
    moves: tuple[torch.Tensor, ...]
    """How far rounding every step moves each element; empty where it was not asked for."""


def compute_answer(module: Any, wanted: DrawRequest) -> DrawnCall:
    """Draw the call and compute what is true of it."""
    model = make_deterministic(module.Model)
    call = _draw_call(module, model, wanted)
    native = flatten(run_module(model, call.copy()))
    truth = tuple(leaf.value for leaf in flatten(run_module(model, call.widen())))
    moves: tuple[torch.Tensor, ...] = ()
    if wanted.moves:
        scale = Intermediates(model, roundings=ROUNDINGS[wanted.precision])
        moves = scale.scale(call.widen(), 1.0)
    return DrawnCall(call, native, truth, moves)


def is_random(module: Any, wanted: DrawRequest) -> bool:
    """Whether two calls of one module on equal arguments differ."""
    call = _draw_call(module, make_deterministic(module.Model), wanted)
    first, second = (_values(make_deterministic(module.Model, seed), call) for seed in (0, 1))
    pairs = zip(first, second, strict=True)
    return any(not torch.equal(one.nan_to_num(), other.nan_to_num()) for one, other in pairs)


def constants(module: Any) -> tuple[str, ...]:
    """Parameters that are constants in a fresh module."""
    return constants_of(module.Model, tuple(module.get_init_inputs()))


def _values(model: Callable[..., Any], call: ModuleCall) -> list[torch.Tensor]:
    return [leaf.value for leaf in flatten(run_module(model, call.copy()))]


def _draw_call(module: Any, model: Callable[..., nn.Module], wanted: DrawRequest) -> ModuleCall:
    dtype, seed = DTYPES[wanted.precision], wanted.weights_seed % (1 << 31)
    torch.manual_seed(_stream(wanted.inputs_seed, "inputs"))
    with patch_torch_rand(wanted.values):
        given = tuple(_cast(one, dtype) for one in module.get_inputs())
    init = tuple(module.get_init_inputs())
    fresh = build_under_seed(seed, model, init)
    state = draw_weights(fresh, Draw.from_seed(_stream(seed, "constants")), dtype)
    call = ModuleCall(args=given, init=init, state=state, buffers=buffers_of(fresh))
    if wanted.weights == "drawn":
        return call
    own = {name: _cast(one, dtype) for name, one in seeded_state(seed, model, init).items()}
    alone = wanted.weights == "seed alone"
    if not alone:
        own |= {name: state[name] for name in constants_of(model, init)}
    return replace(call, state=own, weights_seed=seed, loads=not alone)


def _stream(seed: int, purpose: str) -> int:
    """A seed of its own for each purpose. Weights are drawn under theirs as it is: inputs of the
    same stream would be proportional to a row of them, and products far too large."""
    digest = hashlib.sha256(f"{purpose} {seed}".encode()).digest()
    return int.from_bytes(digest[:4], "big")


@contextmanager
def patch_torch_rand(kind: str) -> Iterator[None]:
    """`torch.rand` draws normal numbers, or wide ones; `published` leaves it as it is."""
    uniform, normal = torch.rand, torch.randn
    width = _WIDE if kind == "wide" else 1.0

    def draw_scaled_normal(*size: Any, **named: Any) -> torch.Tensor:
        return normal(*size, **named) * width

    if kind != "published":
        torch.rand = torch.randn = draw_scaled_normal
    try:
        yield
    finally:
        torch.rand, torch.randn = uniform, normal


def make_deterministic(model: type[nn.Module], seed: int = 0) -> Callable[..., nn.Module]:
    """The model, with tensors that are no parameters in the dtype of the others, and without
    chance: what is drawn in `forward` is the same in each call."""

    class DeterministicModel(model):  # type: ignore[misc, valid-type]
        wide = False

        def to(self, *where: Any) -> Any:
            self.wide = torch.float64 in where
            for module in self.modules():
                for name, value in list(vars(module).items()):
                    if isinstance(value, torch.Tensor) and value.is_floating_point():
                        setattr(module, name, value.to(*where))
            return super().to(*where)

        def forward(self, *args: Any, **named: Any) -> Any:
            torch.manual_seed(seed)
            torch.set_default_dtype(torch.float64 if self.wide else torch.float32)
            try:
                return super().forward(*args, **named)
            finally:
                torch.set_default_dtype(torch.float32)

    return DeterministicModel


def _cast(value: Any, dtype: torch.dtype) -> Any:
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return value.to(dtype)
    return value
