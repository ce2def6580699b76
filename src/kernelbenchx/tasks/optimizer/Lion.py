"""One Lion step, in place: every element moves by lr along the sign of an interpolated momentum.

    u = beta1 * exp_avg + (1 - beta1) * grad
    p = param * (1 - lr * weight_decay) - lr * sign(u)
    m = beta2 * exp_avg + (1 - beta2) * grad
param and exp_avg become p and m; u and m are both made from the old exp_avg. sign(u) is 1, -1, or 0
where u is 0 or NaN: such an element of param is only decayed. Infinities follow IEEE arithmetic.
16-bit tensors are computed in float32 and rounded once each; u is not rounded to 16 bits.
Where the two terms of u cancel but for their rounding in float32, either sign, or 0, is right.
The published tests call this function lion_step while the entry check asks for Lion; here it is
Lion.
"""

import torch

from kernelbenchx.spec import Close, argument, case, ignore_argument, optimizer_step
from kernelbenchx.spec.families.optimizer_mistakes import decay_coupled, moved_otherwise

_ROUNDOFF = 2.0**-24


def Lion(
    param: torch.Tensor,
    grad: torch.Tensor,
    exp_avg: torch.Tensor,
    lr: float = 1e-4,
    beta1: float = 0.9,
    beta2: float = 0.99,
    weight_decay: float = 0.0,
) -> tuple[torch.Tensor, torch.Tensor]:
    wide = torch.promote_types(param.dtype, torch.float32)
    g, old = grad.to(wide), exp_avg.to(wide)
    u = beta1 * old + (1 - beta1) * g
    p = param.to(wide) * (1 - lr * weight_decay) - lr * torch.sign(u)
    return param.copy_(p), exp_avg.copy_(beta2 * old + (1 - beta2) * g)


def eager(param, grad, exp_avg, lr=1e-4, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """Operator by operator, as optimizers of this kind are written."""
    u = exp_avg.mul(beta1).add_(grad, alpha=1 - beta1).sign_()
    if weight_decay:
        param.mul_(1 - lr * weight_decay)
    param.add_(u, alpha=-lr)
    exp_avg.mul_(beta2).add_(grad, alpha=1 - beta2)
    return param, exp_avg


def rounding(param, grad, exp_avg, lr=1e-4, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """Sums without signs. Of u: a rounding of beta and of each product, twice over; where that is
    more than u itself, its sign is open: a difference of 2 lr at most."""
    u = (beta1 * exp_avg + (1 - beta1) * grad).abs()
    wrong = 4 * _ROUNDOFF * (beta1 * exp_avg.abs() + max(beta1, 1 - beta1) * grad.abs())
    is_open = (u <= wrong) & (wrong > 0) & wrong.isfinite()
    either = torch.where(is_open, 2 * lr / (4 * _ROUNDOFF), 0.0)
    moved = 2 * (param.abs() * (1 + lr * weight_decay) + lr) + either
    return (moved, 2 * beta2 * (exp_avg.abs() + grad.abs())) * 2


def _with(sign):
    """The step along another direction."""

    def update_param(old, new):
        u = old.beta1 * old.exp_avg + (1 - old.beta1) * old.grad
        return old.param * (1 - old.lr * old.weight_decay) - old.lr * sign(u, new.exp_avg)

    return update_param


def _whole_decay(old, _new):
    u = old.beta1 * old.exp_avg + (1 - old.beta1) * old.grad
    return old.param * (1 - old.weight_decay) - old.lr * torch.sign(u)


TASK = optimizer_step(
    Lion,
    state={"exp_avg": "signed"},
    arguments=(
        argument("lr", not_given=None, tenth=0.1, small=0.02),
        argument("beta1", not_given=None, half=0.5, zero=0.0, high=0.99),
        argument("beta2", not_given=None, half=0.5, low=0.9),
        argument("weight_decay", not_given=None, one=1.0, small=0.1),
    ),
    corners=(
        {"first": "yes", "lr": "tenth"},
        {"weight_decay": "one", "lr": "tenth", "dtype": "bfloat16"},
        {"values": "special", "lr": "tenth"},
    ),
    flops=9,
    eager=eager,
    contract=Close(scale=rounding),
    # In bfloat16 eager rounds u and moves a parameter in two steps, which the statement forbids.
    timings=case(shape=(2**20,), dtype=torch.float32, lr=0.02)
    + case(shape=(2**26,), dtype=torch.float32, lr=0.1, weight_decay=0.1)
    + case(shape=(2**24 + 1,), dtype=torch.float32, lr=0.02, beta1=0.5),
    mutants=(
        *(
            moved_otherwise(Lion, name, _with(sign), *covers)
            for name, sign, *covers in (
                ("sign of the new momentum", lambda _u, m: torch.sign(m), "beta1", "exp_avg"),
                ("a step where u is 0", lambda u, _m: torch.where(u < 0, -1.0, 1.0), "lr"),
                ("NaN moves", lambda u, _m: torch.where(u.isnan(), u, torch.sign(u)), "grad"),
                ("u itself", lambda u, _m: u, "B-ENTRY"),
                ("u rounded to float16", lambda u, _m: torch.sign(u.half()).float()),
            )
        ),
        moved_otherwise(Lion, "decay of the whole parameter", _whole_decay, "weight_decay"),
        decay_coupled(Lion),
        *(ignore_argument(Lion, one, "W-ARG") for one in ("lr", "beta1", "beta2", "weight_decay")),
    ),
    difficulty=3,
    audit=("B-ENTRY", "W-ARG"),
)
