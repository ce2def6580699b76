"""One AdamW step, in place: Adam with decoupled weight decay.

step is the number of this step, counted from 1. With t = step:
    m = beta1 * exp_avg + (1 - beta1) * grad
    v = beta2 * exp_avg_sq + (1 - beta2) * grad^2
    p = param * (1 - lr * weight_decay)
        - lr / (1 - beta1^t) * m / (sqrt(v) / sqrt(1 - beta2^t) + eps)
param, exp_avg and exp_avg_sq become p, m and v. NaN and infinities follow IEEE arithmetic. 16-bit
tensors are computed in float32 and rounded once each: p is made from the unrounded m and v.
The published tests call this function adamw_step while the entry check asks for AdamW, and one of
the published formulas omits the bias corrections 1 - beta^t; here it is AdamW, with them.
"""

import inspect
import math

import torch

from kernelbenchx.spec import Close, Mutant, argument, case, ignore_argument, optimizer_step


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
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    wide = torch.promote_types(param.dtype, torch.float32)
    g = grad.to(wide)
    m = beta1 * exp_avg.to(wide) + (1 - beta1) * g
    v = beta2 * exp_avg_sq.to(wide) + (1 - beta2) * g * g
    p = _update_param(param.to(wide), m, v, step, lr, beta1, beta2, eps, weight_decay)
    return param.copy_(p), exp_avg.copy_(m), exp_avg_sq.copy_(v)


def _update_param(param, m, v, step, lr, beta1, beta2, eps, weight_decay):
    size, root = lr / (1 - beta1**step), math.sqrt(1 - beta2**step)
    return param * (1 - lr * weight_decay) - size * m / (v.sqrt() / root + eps)


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


def rounding(
    param, grad, exp_avg, exp_avg_sq, step, lr=1e-3, beta1=0.9, beta2=0.999, eps=1e-8,
    weight_decay=0.01,
):  # fmt: skip
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


def _made_with(moved):
    """The new state is right, and the parameter follows from old and new state by another rule."""

    def answer(*args, **words):
        given = inspect.signature(AdamW).bind(*args, **words)
        given.apply_defaults()
        param, grad, exp_avg, exp_avg_sq, *options = given.arguments.values()
        old = param.clone(), exp_avg.clone()
        returned = AdamW(param, grad, exp_avg, exp_avg_sq, *options)
        param.copy_(moved(*old, exp_avg, exp_avg_sq, *options))
        return returned

    return answer


def _old_momentum(param, old, _m, v, *options):
    return _update_param(param, old, v, *options)


def _rounded_state(param, _old, m, v, *options):
    return _update_param(param.float(), m.float(), v.float(), *options)


def _eps_inside(param, _old, m, v, step, lr, beta1, beta2, eps, weight_decay):
    return _update_param(param, m, v + eps, step, lr, beta1, beta2, 0.0, weight_decay)


def _at_step(change):
    return lambda *args, **words: AdamW(*(*args[:4], change(args[4])), **words)


def _coupled_decay(param, grad, *rest, weight_decay=0.01, **words):
    return AdamW(param, grad + weight_decay * param, *rest, **words | {"weight_decay": 0.0})


def _whole_decay(*args, lr=1e-3, weight_decay=0.01, **words):
    return AdamW(*args, **words | {"lr": lr, "weight_decay": weight_decay / lr})


TASK = optimizer_step(
    AdamW,
    state={"exp_avg": "signed", "exp_avg_sq": "positive"},
    arguments=(
        argument("lr", not_given=None, tenth=0.1, small=0.02),
        argument("beta1", not_given=None, half=0.5, zero=0.0),
        argument("beta2", not_given=None, half=0.5, low=0.9, near_one=0.9999),
        argument("eps", not_given=None, large=1e-2),
        argument("weight_decay", not_given=None, half=0.5, zero=0.0),
    ),
    # Beyond step 1000, and the bias correction is still far from 1.
    corners=({"step": "thousands", "beta2": "near one", "lr": "tenth"},),
    flops=14,
    eager=eager,
    contract=Close(scale=rounding),
    timings=case(shape=(2**26,), dtype=torch.float32, step=10)
    + case(shape=(8192, 4096), dtype=torch.bfloat16, step=1000, lr=0.01)
    + case(shape=(2**24 + 1,), dtype=torch.bfloat16, step=100),
    mutants=(
        # A power of beta that is 0.
        Mutant("no bias correction", _at_step(lambda _: 10**9), ("step", "B-SPEC", "B-ENTRY")),
        Mutant("steps counted to a thousand", _at_step(lambda t: min(t, 1000)), ("step",)),
        Mutant("decay coupled to the gradient", _coupled_decay, ("weight_decay", "grad")),
        Mutant("decay of the whole rate", _whole_decay, ("weight_decay", "lr")),
        Mutant("eps inside the root", _made_with(_eps_inside), ("eps",)),
        Mutant("old momentum in the update", _made_with(_old_momentum), ("exp_avg",)),
        Mutant("rounded state in the update", _made_with(_rounded_state)),
        *(
            ignore_argument(AdamW, one, "W-ARG")
            for one in ("lr", "beta1", "beta2", "eps", "weight_decay")
        ),
    ),
    difficulty=4,
    audit=("B-ENTRY", "B-SPEC", "W-ARG"),
)
