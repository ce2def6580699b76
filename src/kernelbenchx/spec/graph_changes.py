"""What can be wrong with one operation: the mistakes that kernels are made with."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch
from torch.nn import functional

from kernelbenchx.spec.forward_interceptor import is_float, is_number
from kernelbenchx.spec.graph_reductions import reductions, statistics
from kernelbenchx.spec.operation import Change, Operation, operation_of


def changes_of(
    func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any
) -> Iterator[Change]:
    """All mistakes that this operation can be made with."""
    operation = operation_of(func, args, kwargs, result)
    if not operation.computes:
        return
    for rule in _RULES:
        yield from rule(operation)


def _drop_operation(op: Operation) -> Iterator[Change]:
    given = op.floats
    if not given or not is_float(op.result):
        return
    if given[0].shape == op.result.shape:
        yield Change("dropped", lambda now: now.giving(now.floats[0].clone()))
    if op.name in ("add", "sub", "mul", "div", "where", "maximum", "minimum") and len(given) > 1:
        yield Change("with its first operand ignored", _second)
        if 1 < given[1].numel() < op.result.numel():
            yield Change(
                "with its operand rolled", lambda now: now.call_with(other=_roll_operand(now))
            )


def _second(op: Operation) -> Any:
    second = op.floats[1].clone()
    return op.giving(second.expand(op.call_with().shape).clone())


def _roll_operand(op: Operation) -> torch.Tensor:
    other: torch.Tensor = op.floats[1]
    longest = max(range(other.dim()), key=lambda dim: other.shape[dim])
    return other.roll(1, longest)


_NEIGHBOURS: dict[str, tuple[str, Callable[[torch.Tensor], torch.Tensor]]] = {
    "relu": ("leaky_relu", lambda x: functional.leaky_relu(x, 0.01)),
    "leaky_relu": ("relu", functional.relu),
    "elu": ("relu", functional.relu),
    "gelu": ("x * sigmoid(1.702 x)", lambda x: x * torch.sigmoid(1.702 * x)),
    "sigmoid": ("hardsigmoid", functional.hardsigmoid),
    "hardsigmoid": ("sigmoid", torch.sigmoid),
    "tanh": ("hardtanh", functional.hardtanh),
    "hardtanh": ("tanh", torch.tanh),
    "silu": ("hardswish", functional.hardswish),
    "hardswish": ("silu", functional.silu),
    "mish": ("silu", functional.silu),
    "softplus": ("relu", functional.relu),
    "_softmax": ("sigmoid", torch.sigmoid),
    "_log_softmax": ("logsigmoid", functional.logsigmoid),
}


def _replace_by_neighbour(op: Operation) -> Iterator[Change]:
    if op.name in _NEIGHBOURS:
        words, other = _NEIGHBOURS[op.name]
        # A copy: some of torch's functions give what they were given.
        make = partial(
            lambda now, other: now.giving(other(now.values["self"].clone())), other=other
        )
        yield Change(f"taken for {words}", make)


_PRODUCTS = {
    "mm": ("self", "mat2"),
    "bmm": ("self", "mat2"),
    "addmm": ("mat1", "mat2"),
    "baddbmm": ("batch1", "batch2"),
    "mv": ("self", "vec"),
    "addmv": ("mat", "vec"),
    "dot": ("self", "tensor"),
}


def _products(op: Operation) -> Iterator[Change]:
    if op.name not in _PRODUCTS:
        return
    left, right = _PRODUCTS[op.name]
    yield Change("without its last term", lambda now: now.call_with(**{left: _cut(now, left, -1)}))
    second = op.values[right]
    if second.dim() > 1 and second.shape[-1] == second.shape[-2] > 1:
        yield Change(
            "with its weights transposed",
            lambda now: now.call_with(**{right: now.values[right].mT}),
        )
    if op.name.startswith(("addm", "badd")):
        yield from _bias("self", op)


def _cut(op: Operation, name: str, dim: int) -> torch.Tensor:
    """The argument with zeros at the end of a dimension."""
    value: torch.Tensor = op.values[name].clone()
    value.select(dim, -1).zero_()
    return value


def _bias(name: str, op: Operation) -> Iterator[Change]:
    bias = op.float_at(name)
    if bias is None:
        return
    yield Change(
        "without its bias",
        lambda now: now.call_with(**{name: torch.zeros_like(now.values[name])}),
    )
    if bias.shape[-1] > 1:
        yield Change(
            "with its bias rolled",
            lambda now: now.call_with(**{name: now.values[name].roll(1, -1)}),
        )


def _convolutions(op: Operation) -> Iterator[Change]:
    if op.name != "convolution":
        return
    yield from _bias("bias", op)
    yield Change("without its last channel", lambda now: now.call_with(input=_cut(now, "input", 1)))
    yield from _shift_input("input", op)
    weight = op.values["weight"]
    if weight.shape[-1] > 1:
        yield Change(
            "with its kernel flipped", lambda now: _change_weight(now, lambda w: w.flip(-1))
        )
    if weight.shape[0] > 1:
        yield Change(
            "with its weights rolled", lambda now: _change_weight(now, lambda w: w.roll(1, 0))
        )
    if weight.shape[0] == weight.shape[1] > 1:
        yield Change(
            "with its weights transposed",
            lambda now: _change_weight(now, lambda w: w.transpose(0, 1)),
        )


def _change_weight(op: Operation, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    return op.call_with(weight=change(op.values["weight"]).contiguous())


def _shift_input(name: str, op: Operation) -> Iterator[Change]:
    if op.values[name].shape[-1] > 1:
        yield Change(
            "with its input shifted by one",
            lambda now: now.call_with(**{name: now.values[name].roll(1, -1)}),
        )


def _pools(op: Operation) -> Iterator[Change]:
    if op.name.startswith("max_pool"):
        yield Change(
            "with min for max", lambda now: now.giving(-now.call_with(self=-now.values["self"])[0])
        )
        yield from _shift_input("self", op)
    if op.name.startswith("avg_pool"):
        yield from _shift_input("self", op)
        if any(op.values.get("padding", ())):
            counted = op.values.get("count_include_pad", True)
            yield Change(
                "with its padding counted otherwise",
                lambda now: now.call_with(count_include_pad=not counted),
            )


_NUMBERS = frozenset(
    [
        "other", "exponent", "negative_slope", "alpha", "scale", "input_scale", "min", "max",
        "min_val", "max_val", "beta", "value", "lambd", "delta", "margin",
    ]
)  # fmt: skip
_TINY = 1e-3
"""Below it a number only keeps a division from zero; one per cent of it shows nowhere."""


def _numbers(op: Operation) -> Iterator[Change]:
    if not is_float(op.result):
        return
    for name, value in op.values.items():
        if name not in _NUMBERS or not is_number(value):
            continue
        words = "its number" if name in ("other", "value") else name
        if 0 < abs(value) < _TINY:
            yield _change_number(f"with {words} 100 times as large", name, value * 100)
        else:
            yield _change_number(f"with {words} 1 % larger", name, value * 1.01 or 0.01)


def _change_number(words: str, name: str, value: float) -> Change:
    return Change(words, lambda now: now.call_with(**{name: value}))


def _attention(op: Operation) -> Iterator[Change]:
    if "scaled_dot_product" not in op.name:
        return
    causal = bool(op.values.get("is_causal", False))
    size = op.values["query"].shape[-1]
    scale = op.values.get("scale") or size**-0.5
    yield _change_number("with its scale 1 % larger", "scale", scale * 1.01)
    if op.values.get("attn_mask") is None:
        yield Change(
            "with the causal mask turned round", lambda now: now.call_with(is_causal=not causal)
        )


def _orders(op: Operation) -> Iterator[Change]:
    """Of what is put together, and of triangles."""
    if op.name in ("cat", "stack"):
        parts = op.values["tensors"]
        if len(parts) > 1 and parts[0].shape == parts[1].shape:
            yield Change(
                "in reverse order",
                lambda now: now.call_with(tensors=list(now.values["tensors"])[::-1]),
            )
    if op.name in ("tril", "triu"):
        diagonal = op.values.get("diagonal", 0) + 1
        yield Change("off by one diagonal", lambda now: now.call_with(diagonal=diagonal))


def _losses(op: Operation) -> Iterator[Change]:
    if "loss" in op.name or op.name == "binary_cross_entropy":
        other = 2 if op.values.get("reduction", 1) == 1 else 1
        yield Change(
            "summed for averaged, or the other way", lambda now: now.call_with(reduction=other)
        )


_RULES = (
    _drop_operation, _replace_by_neighbour, _products, _convolutions, _pools, _numbers,
    _attention, _orders, _losses, statistics, reductions,
)  # fmt: skip
