"""One Adam step, in place, with the weight decay added to the gradient.

step is the number of this step, counted from 1. With t = step and (beta1, beta2) = betas:
    g = grad + weight_decay * param
    m = beta1 * exp_avg + (1 - beta1) * g
    v = beta2 * exp_avg_sq + (1 - beta2) * g^2
    p = param - lr / (1 - beta1^t) * m / (sqrt(v / (1 - beta2^t)) + eps)
param, exp_avg and exp_avg_sq become p, m and v; g is not written into grad. There is no amsgrad.
NaN and infinities follow IEEE arithmetic. 16-bit tensors are computed in float32 and rounded once
each: p is made from the unrounded m and v.
The published function builds an optimizer object from `params`, and its tests never take a step.
Here it is the step: the tensors stand in place of `params`, the options keep names and defaults.
"""

import math

import torch

from kernelbenchx.spec import Close, Mutant, argument, case, ignore_argument, optimizer_step
from kernelbenchx.spec.families.adam_error import update_error
from kernelbenchx.spec.families.fused_optimizers import fused_takes, options
from kernelbenchx.spec.families.optimizer_mistakes import decay_apart, decay_in_grad
from kernelbenchx.tasks.optimizer.AdamW import AdamW


def Adam(
    param: torch.Tensor,
    grad: torch.Tensor,
    exp_avg: torch.Tensor,
    exp_avg_sq: torch.Tensor,
    step: int,
    lr: float = 0.001,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-08,
    weight_decay: float = 0,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    wide = torch.promote_types(param.dtype, torch.float32)
    g = grad.to(wide) + weight_decay * param.to(wide)
    return AdamW(param, g, exp_avg, exp_avg_sq, step, lr, *betas, eps, 0.0)


def eager(*args, **words):
    """The kernel of torch.optim.Adam(fused=True); what it does not take is written out."""
    param, grad, m, v, step = args
    if not fused_takes(param, grad, m, v):
        return Adam(*args, **words)
    said = options(Adam, words) | {"amsgrad": False, "maximize": False}
    beta1, beta2 = said.pop("betas")
    steps = torch.full((), float(step), device=param.device)
    torch._fused_adam_([param], [grad], [m], [v], [], [steps], beta1=beta1, beta2=beta2, **said)
    return param, m, v


def rounding(param, grad, exp_avg, exp_avg_sq, step, **words):
    """The sums without signs; g is as wrong as its terms are large."""
    said = options(Adam, words)
    decay, (beta1, beta2) = said.pop("weight_decay"), said["betas"]
    g, size = grad + decay * param, grad.abs() + decay * param.abs()
    first, second = exp_avg.abs() + size, exp_avg_sq + size * (size + g.abs())
    m = beta1 * exp_avg + (1 - beta1) * g
    v = beta2 * exp_avg_sq + (1 - beta2) * g * g
    moved = update_error(m, v, first, second, step=step, **said)
    return (param.abs() + moved, first, second) * 2


def _eps_before_correction(p, g, m, v, step, eps=1e-08, betas=(0.9, 0.999), **words):
    smaller = eps / math.sqrt(1 - betas[1] ** step)
    return Adam(p, g, m, v, step, eps=smaller, betas=betas, **words)


def _swap_betas(p, g, m, v, step, betas=(0.9, 0.999), **words):
    return Adam(p, g, m, v, step, betas=betas[::-1], **words)


TASK = optimizer_step(
    Adam,
    state={"exp_avg": "signed", "exp_avg_sq": "positive"},
    arguments=(
        argument("lr", not_given=None, tenth=0.1, small=0.02),
        argument("betas", not_given=None, halves=(0.5, 0.25), late=(0.95, 0.9999), none=(0.0, 0.9)),
        argument("eps", not_given=None, large=1e-2),
        argument("weight_decay", not_given=None, half=0.5, small=0.01),
    ),
    corners=(
        {"step": "thousands", "betas": "late", "lr": "tenth"},
        {"weight_decay": "half", "lr": "tenth", "betas": "halves", "dtype": "bfloat16"},
    ),
    flops=16,
    eager=eager,
    contract=Close(scale=rounding),
    timings=case(shape=(2**20,), dtype=torch.float32, step=10, lr=0.02)
    + case(shape=(2**26,), dtype=torch.float32, step=100, weight_decay=0.01)
    + case(shape=(4099, 4093), dtype=torch.bfloat16, step=1000, lr=0.1),
    mutants=(
        Mutant(
            "no bias correction",
            lambda p, g, m, v, _, **words: Adam(p, g, m, v, 10**9, **words),
            ("step", "B-HID", "W-TRIV"),
        ),
        decay_apart(Adam),
        decay_in_grad(Adam),
        Mutant("eps before the bias correction", _eps_before_correction, ("eps",)),
        Mutant("betas swapped", _swap_betas, ("betas",)),
        *(ignore_argument(Adam, one) for one in ("lr", "betas", "eps", "weight_decay")),
    ),
    difficulty=3,
    audit=("B-HID", "W-TRIV"),
)
