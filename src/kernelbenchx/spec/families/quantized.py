"""Products of matrices that are quantised inside the call."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.axes import dtypes as dtype_axis
from kernelbenchx.spec.families.axes import layouts, optional, without, words
from kernelbenchx.spec.families.matmul import sizes as size_axis
from kernelbenchx.spec.families.standard_promises import any_strides
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.quantized import Quantized, Scheme
from kernelbenchx.spec.space import Axis, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., torch.Tensor]
Sizes = tuple[int, int, int]
"""M, K, N."""
GROUP = 64
"""So many values along K share a scale in a wrong answer."""


@dataclass(frozen=True)
class Rule:
    """How a matrix is quantised: scale = max|x| / levels over the dimension that is summed."""

    over: int | tuple[int, ...]
    levels: int


def quantized_product(  # noqa: PLR0913 - a form to fill in
    function: Function,
    *,
    layer: Function,
    weight_rule: Rule,
    input_rule: Rule | None = None,
    other_levels: int,
    scheme: Callable[..., Scheme],
    dtypes: tuple[torch.dtype, ...],
    gives: torch.dtype,
    scales: Mapping[str, float],
    spread: tuple[float, float] = (-1.5, 1.5),
    factor: float = 4.0,
    valid: Callable[[Mapping[str, str]], bool] = lambda _: True,
    corners: tuple[Mapping[str, str], ...] = (),
    promises: tuple[Promise, ...] = (),
    mutants: tuple[Mutant, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function` is the reference: input, weight, perhaps `bias` by name.

    `layer`: the same of operands that are dequantised already. Without `input_rule` the input is
    not quantised. `other_levels`: of too many or too few bits. `gives`: the dtype of the result.
    `scales`: words for other sizes of values. `spread`: of the sizes of slices that share a scale,
    in powers of ten. `factor`: of the contract. `rest`: fields of `Task`.
    """
    answers = _QuantizedAnswers(layer, input_rule, weight_rule)
    axes = (
        without(size_axis(), "empty sum"),
        dtype_axis(dtypes),
        layouts(),
        layouts("second_layout", ("transposed", "strided", "expanded")),
        *((optional("bias"),) if "bias" in inspect.signature(function).parameters else ()),
        words("values", *scales, "ties"),
    )
    fixed = tuple({"dtype": str(one).removeprefix("torch.")} for one in dtypes)
    fixed += (
        {"layout": "transposed", "second_layout": "transposed"},
        {"sizes": "wide"},
        {"sizes": "tall"},
        {"sizes": "empty"},
        {"sizes": "empty", "values": "ties"},
        {"values": "ties"},
        {"values": "ties", "sizes": "small", "dtype": fixed[-1]["dtype"]},
    )
    return Task(
        reference=function,
        inputs=_Inputs(input_rule, weight_rule, dtypes[0], scales, spread),
        cost=_Cost(dtypes[0], gives),
        contract=Quantized(scheme=scheme, factor=factor),
        space=Space(
            axes,
            valid=lambda chosen: _is_valid(chosen) and valid(chosen),
            corners=fixed + corners,
        ),
        promises=(*_promises(function, axes, answers), *promises),
        mutants=(*_mutants(answers, other_levels), *mutants),
        dtypes=dtypes,
        **{"audit": ("I-QUANT", "B-CHK", "W-UNQ")} | rest,
    )


def quantise(
    x: torch.Tensor, rule: Rule, rounded: Function = torch.round, of_zeros: float = 0.0
) -> tuple[torch.Tensor, torch.Tensor]:
    """Codes and their scale, in float32."""
    scale = x.float().abs().amax(rule.over, keepdim=True) / rule.levels
    codes = torch.where(scale > 0, rounded(x.float() / scale), of_zeros)
    return codes.clamp(-rule.levels - 1, rule.levels), scale


class _Inputs:
    """Draws the arguments of one call."""

    def __init__(
        self,
        input_rule: Rule | None,
        weight_rule: Rule,
        dtype: torch.dtype,
        scales: Mapping[str, float],
        spread: tuple[float, float],
    ) -> None:
        self.input_rule, self.weight_rule = input_rule, weight_rule
        self.dtype, self.scales, self.spread = dtype, scales, spread

    def __call__(  # noqa: PLR0913 - a parameter for each axis
        self,
        draw: Draw,
        sizes: Sizes,
        dtype: torch.dtype | None = None,
        layout: str = "contiguous",
        second_layout: str = "contiguous",
        bias: str | None = None,
        values: str = "ordinary",
    ) -> Call:
        m, k, n = sizes
        kind, scale = dtype or self.dtype, self.scales.get(values, 1.0)
        shape = (k, n) if self.weight_rule.over == 0 else (n, k)
        # One operand of another size is enough: their scales are multiplied.
        if self.input_rule is None:
            x = draw.normal((m, k), kind)
            w = self._operand(draw, shape, kind, self.weight_rule, values) * scale
        else:
            x = self._operand(draw, (m, k), kind, self.input_rule, values) * scale
            w = self._operand(draw, shape, kind, self.weight_rule, values)
        words = {}
        if bias is not None:
            added = draw.normal((n,), kind) * 10 ** draw.uniform((n,), kind, -1.0, 1.0)
            words["bias"] = draw.laid_out(added, bias)
        return call(draw.laid_out(x, layout), draw.laid_out(w, second_layout), **words)

    def _operand(
        self, draw: Draw, shape: tuple[int, int], dtype: torch.dtype, rule: Rule, values: str
    ) -> torch.Tensor:
        """Slices that share a scale are of very different size; the second of several is zero.

        With ties scales are powers of two, and half of all values lie on a rounding tie.
        """
        summed = rule.over if isinstance(rule.over, int) else 0
        slices = (shape[0], 1) if summed else (1, shape[1])
        if values == "ties":
            unit = 2.0 ** draw.integers(slices, -5, 3)
            x = draw.integers(shape, 1 - 2 * rule.levels, 2 * rule.levels) / 2 * unit
            x.narrow(summed, 0, 1).copy_(rule.levels * unit)
            x = x.to(dtype)
        else:
            x = draw.normal(shape, dtype) * 10 ** draw.uniform(slices, dtype, *self.spread)
        if shape[1 - summed] > 1:
            x.narrow(1 - summed, 1, 1).fill_(-0.0)
        return x


class _Cost:
    """Every matrix is moved once."""

    def __init__(self, dtype: torch.dtype, gives: torch.dtype) -> None:
        self.dtype, self.gives = dtype, gives

    def __call__(
        self, sizes: Sizes, dtype: torch.dtype | None = None, bias: str | None = None, **_: object
    ) -> Cost:
        m, k, n = sizes
        read = m * k + k * n + (0 if bias is None else n)
        moved = read * (dtype or self.dtype).itemsize + m * n * self.gives.itemsize
        return Cost(flops=2 * m * k * n, bytes=moved)


class _QuantizedAnswers:
    """Products of operands that are quantised by one rule or another."""

    def __init__(self, layer: Function, input_rule: Rule | None, weight_rule: Rule) -> None:
        self.layer, self.input_rule, self.weight_rule = layer, input_rule, weight_rule

    def by(
        self,
        rules: Mapping[str, Rule | None] | None = None,
        how: Mapping[str, Any] | None = None,
        grouped: bool = False,
    ) -> Function:
        """`rules` stand for those of `input` and `weight`, `how` for roundings of `quantise`."""
        both = {"input": self.input_rule, "weight": self.weight_rule, **(rules or {})}

        def answer(input: torch.Tensor, weight: torch.Tensor, **words: Any) -> torch.Tensor:
            x, w = (
                _dequantise(one, both[name], grouped, how or {})
                for one, name in ((input, "input"), (weight, "weight"))
            )
            return self.layer(x, w, **words)

        return answer


def _dequantise(
    x: torch.Tensor, rule: Rule | None, grouped: bool, how: Mapping[str, Any]
) -> torch.Tensor:
    if rule is None or not x.numel():
        return x
    dim = rule.over if isinstance(rule.over, int) else 0
    ends = list(range(GROUP, x.shape[dim], GROUP)) if grouped else []
    parts = [quantise(part, rule, **how) for part in torch.tensor_split(x, ends, dim)]
    return torch.cat([codes * scale for codes, scale in parts], dim)


def _mutants(answers: _QuantizedAnswers, other_levels: int) -> Iterator[Mutant]:
    x, w = answers.input_rule, answers.weight_rule
    turned = replace(w, over=1 - w.over) if isinstance(w.over, int) else w
    yield Mutant("nothing is quantised", answers.by({"input": None, "weight": None}), ("W-UNQ",))
    for name, rule in (("input", x), ("weight", w)):
        if rule is not None:
            whole = answers.by({name: replace(rule, over=(0, 1))})
            yield Mutant(f"one scale for the whole {name}", whole, (name, "I-QUANT"))
    yield Mutant(
        "weight scales along the other dimension", answers.by({"weight": turned}), ("weight",)
    )
    yield Mutant("scales for groups along K", answers.by(grouped=True), ("I-QUANT",))
    other = {
        "input": x and replace(x, levels=other_levels),
        "weight": replace(w, levels=other_levels),
    }
    bits = answers.by(other)
    yield Mutant(f"codes up to {other_levels}", bits, ("B-CHK",))
    yield Mutant("codes are truncated", answers.by(how={"rounded": torch.trunc}), ("weight",))
    if x is None:
        both = answers.by({"input": Rule(1, 127)})
        yield Mutant("the input is quantised as well", both, ("input",))
    else:
        yield Mutant(
            "only the weight is quantised", answers.by({"input": None}), ("W-UNQ", "input")
        )


def _away_from_zero(x: torch.Tensor) -> torch.Tensor:
    return (x.abs() + 0.5).floor() * x.sign()


def _is_valid(chosen: Mapping[str, str]) -> bool:
    ways = {chosen["layout"], chosen["second_layout"]}
    return chosen["sizes"] != "empty" or ways == {"contiguous"}


def _promises(
    function: Function, axes: tuple[Axis, ...], answers: _QuantizedAnswers
) -> Iterator[Promise]:
    known = {axis.name: axis for axis in axes}
    yield any_strides(function, known["layout"], 0, "input")
    yield any_strides(function, known["second_layout"], 1, "weight")
    if "bias" in known:
        yield any_strides(function, known["bias"], 2, "bias")
    yield Promise(
        "Codes are quotients, by division, rounded to nearest, ties to even.",
        "values",
        ("ties",),
        Mutant("ties go away from zero", answers.by(how={"rounded": _away_from_zero})),
    )
    yield Promise(
        "Values that share a scale and are all zero have scale 0 and codes 0.",
        "values",
        ("ordinary",),
        Mutant("zeros divided by their scale", answers.by(how={"of_zeros": torch.nan})),
    )
    yield Promise(
        "The summed size is at least 1; the other sizes may be 0.",
        "sizes",
        ("empty",),
        mistakes.refuses(
            function, "empty result refused", lambda x, w, *_: not x.numel() * w.numel()
        ),
    )
