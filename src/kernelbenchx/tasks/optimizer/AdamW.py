"""One AdamW step, in place: Adam with decoupled weight decay.

param, grad, exp_avg and exp_avg_sq have the same shape (any, also empty and 0-d) and dtype, step is
the number of this step, counted from 1. With t = step:
    m = beta1 * exp_avg + (1 - beta1) * grad
    v = beta2 * exp_avg_sq + (1 - beta2) * grad^2
    p = param * (1 - lr * weight_decay)
        - lr / (1 - beta1^t) * m / (sqrt(v) / sqrt(1 - beta2^t) + eps)
param, exp_avg and exp_avg_sq are overwritten with p, m and v, and those three tensors themselves
are returned, in this order; grad is left alone. Any of the four may have its own memory layout.
16-bit tensors are computed in float32 and rounded once each: p is made from the unrounded m and v.
The published tests call this function adamw_step while the entry check asks for AdamW, and one of
the published formulas omits the bias corrections 1 - beta^t; here it is AdamW, with them.
"""

import math
from collections.abc import Callable
from typing import Any

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid

FLOATS = (torch.float32, torch.bfloat16)
Tensors = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def AdamW(
    param: torch.Tensor,
    grad: torch.Tensor,
    exp_avg: torch.Tensor,
    exp_avg_sq: torch.Tensor,
    step: int,
    lr: float = 1e-3,
    beta1: float = 0.9,
    beta2: float = 0.999,
    eps: float = 1e-8,
    weight_decay: float = 0.01,
) -> Tensors:
    wide = torch.promote_types(param.dtype, torch.float32)
    g = grad.to(wide)
    m = beta1 * exp_avg.to(wide) + (1 - beta1) * g
    v = beta2 * exp_avg_sq.to(wide) + (1 - beta2) * g * g
    size, root = lr / (1 - beta1**step), math.sqrt(1 - beta2**step)
    p = param.to(wide) * (1 - lr * weight_decay) - size * m / (v.sqrt() / root + eps)
    return param.copy_(p), exp_avg.copy_(m), exp_avg_sq.copy_(v)


def eager(
    param, grad, exp_avg, exp_avg_sq, step, lr=1e-3, beta1=0.9, beta2=0.999, eps=1e-8,
    weight_decay=0.01,
):  # fmt: skip
    """The kernel of torch.optim.AdamW(fused=True), which keeps `step` in a tensor.

    It knows one memory layout, and torch does not compile it: there the formula is written out.
    """
    tensors = (param, grad, exp_avg, exp_avg_sq)
    if torch.compiler.is_compiling() or not all(one.is_contiguous() for one in tensors):
        return AdamW(*tensors, step, lr, beta1, beta2, eps, weight_decay)
    steps = torch.full((), float(step), device=param.device)
    torch._fused_adamw_(
        [param], [grad], [exp_avg], [exp_avg_sq], [], [steps], lr=lr, beta1=beta1, beta2=beta2,
        eps=eps, weight_decay=weight_decay, amsgrad=False, maximize=False,
    )  # fmt: skip
    return param, exp_avg, exp_avg_sq


def inputs(
    draw: Draw,
    shape: tuple[int, ...],
    dtype: torch.dtype,
    step: int,
    size: float = 1.0,
    layout: str = "contiguous",
    **options: Any,
) -> Call:
    param = draw.laid_out(draw.normal(shape, dtype), layout)
    grad = draw.planted(draw.normal(shape, dtype, size), (0.0, -0.0, 1e3 * size, 1e-3 * size))
    first = draw.laid_out(draw.normal(shape, dtype, 0.3 * size), layout)
    second = draw.uniform(shape, dtype, 0.01, 1.0) * size**2
    if step == 1:  # as an optimizer starts
        first, second = torch.zeros_like(first), torch.zeros_like(second)
    return call(param, grad, first, second, step, **options)


def cost(shape: tuple[int, ...], dtype: torch.dtype, **_: Any) -> Cost:
    count = math.prod(shape)
    return Cost(flops=14 * count, bytes=7 * count * dtype.itemsize)


def rounding(
    param: torch.Tensor,
    grad: torch.Tensor,
    exp_avg: torch.Tensor,
    exp_avg_sq: torch.Tensor,
    step: int,
    lr: float = 1e-3,
    beta1: float = 0.9,
    beta2: float = 0.999,
    eps: float = 1e-8,
    weight_decay: float = 0.01,
) -> tuple[torch.Tensor, ...]:
    """The sums without signs, and the betas moved by half an ulp: 1 - beta magnifies that."""
    first = exp_avg.abs() + grad.abs()
    second = exp_avg_sq + grad * grad
    m = (beta1 * exp_avg + (1 - beta1) * grad).abs()
    v = beta2 * exp_avg_sq + (1 - beta2) * grad * grad
    left1, left2 = 1 - beta1**step, 1 - beta2**step
    magnified = 4 + step * beta1**step / left1 + step * beta2**step / left2 / 2
    below = v.sqrt() / math.sqrt(left2) + eps
    relative = torch.where(v > 0, second / v.clamp(min=1e-300), 0.0) / 2
    update = lr / left1 * (beta1 * first + m * (magnified + beta2 * relative)) / below
    moved = param.abs() * (1 + lr * weight_decay) + update
    return (moved, beta1 * first, beta2 * second) * 2


def _without(name: str) -> Callable[..., Tensors]:
    """The answer of someone who never looks at one argument."""

    def answer(*args: Any, **options: Any) -> Tensors:
        options.pop(name, None)
        return AdamW(*args, **options)

    return answer


def _no_bias_correction(*args: Any, **options: Any) -> Tensors:
    options["step"] = 10**9  # beta^t is then 0
    return AdamW(*args[:4], **options)


def _coupled_decay(param: torch.Tensor, grad: torch.Tensor, *rest: Any, **options: Any) -> Tensors:
    decay = options.get("weight_decay", 0.01)
    options["weight_decay"] = 0.0
    return AdamW(param, grad + decay * param, *rest, **options)


def _on_copies(*args: Any, **options: Any) -> Tensors:
    return AdamW(*(tensor.clone() for tensor in args[:4]), *args[4:], **options)


def _state_left_alone(*args: Any, **options: Any) -> Tensors:
    param, grad, first, second, step = args
    AdamW(param, grad, first.clone(), second.clone(), step, **options)
    return param, first, second


TASK = Task(
    reference=AdamW,
    eager=eager,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=rounding),
    checks=(
        # Three blocks of which the last is not full.
        grid(shape=((2417,),), dtype=FLOATS, step=(1, 7))
        + grid(shape=((41, 30),), dtype=FLOATS, step=(100,), lr=(0.1,), weight_decay=(0.5,))
        + case(shape=(1111,), dtype=torch.float32, step=3, beta1=0.5, beta2=0.9)
        + case(shape=(1111,), dtype=torch.float32, step=2, beta1=0.0, beta2=0.5, lr=0.3)
        # Gradients so small that eps decides, and so large that it is nothing.
        + grid(shape=((700,),), dtype=(torch.float32,), step=(5,), lr=(0.05,), size=(1e-7, 1e4))
        + case(shape=(700,), dtype=torch.float32, step=5, lr=0.05, size=1e-3, eps=1e-2)
        + case(shape=(513,), dtype=torch.float32, step=10**6, lr=0.02, weight_decay=0.0)
        + grid(
            shape=((13, 3, 9),),
            dtype=FLOATS,
            step=(4,),
            lr=(0.02,),
            weight_decay=(0.1,),
            layout=("transposed",),
        )
        + case(shape=(6, 50), dtype=torch.float32, step=1, lr=0.01, layout="strided")
        + case(shape=(), dtype=torch.float32, step=2, lr=0.1)
        + case(shape=(0, 3), dtype=torch.float32, step=2)
    ),
    timings=(
        case(shape=(2**24,), dtype=torch.float32, step=100)
        + case(shape=(2**26,), dtype=torch.float32, step=10)
        + case(shape=(8192, 4096), dtype=torch.bfloat16, step=1000, lr=0.01)
    ),
    mutants=(
        Mutant("no bias correction", _no_bias_correction, ("step", "B-SPEC")),
        Mutant("works on copies", _on_copies, ("param", "B-ENTRY")),
        Mutant("state left alone", _state_left_alone, ("exp_avg", "exp_avg_sq")),
        Mutant("decay coupled to the gradient", _coupled_decay, ("weight_decay", "grad")),
        Mutant("weight_decay ignored", _without("weight_decay"), ("weight_decay",)),
        Mutant("lr ignored", _without("lr"), ("lr", "W-ARG")),
        Mutant("beta1 ignored", _without("beta1"), ("beta1", "W-ARG")),
        Mutant("beta2 ignored", _without("beta2"), ("beta2", "W-ARG")),
        Mutant("eps ignored", _without("eps"), ("eps", "W-ARG")),
        Patch(
            "eps inside the root",
            "(tl.sqrt(v) / root + eps)",
            "(tl.sqrt(v + eps) / root)",
            ("eps",),
        ),
        Patch(
            "old momentum in the update",
            "    p = p * keep - size * m /",
            "    p = p * keep - size * ((m - rest1 * g) / beta1) /",
        ),
        Patch("gradient not squared", "rest2 * g * g", "rest2 * tl.abs(g)", ("grad",)),
        Patch("decay of the whole rate", "1 - lr * weight_decay,", "1 - weight_decay,", ("lr",)),
        Patch("first block only", "_adamw[(triton.cdiv(n, 1024),)]", "_adamw[(1,)]"),
        Patch(
            "half state in the update",
            "m = beta1 * m + rest1 * g",
            "m = (beta1 * m + rest1 * g).to(tl.bfloat16).to(tl.float32)",
        ),
    ),
    dtypes=FLOATS,
    difficulty=4,
    writes=("param", "exp_avg", "exp_avg_sq"),
    audit=("B-ENTRY", "B-SPEC", "W-ARG"),
)
