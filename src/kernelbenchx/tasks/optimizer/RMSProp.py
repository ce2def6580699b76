"""One RMSProp step, in place: the gradient divided by the root of its mean square.

    g = grad + weight_decay * param
    s = alpha * square_avg + (1 - alpha) * g^2
    p = param - lr * g / (sqrt(s) + eps)
param and square_avg become p and s. There is no momentum, and the mean is not centred. NaN and
infinities follow IEEE arithmetic. 16-bit tensors are computed in float32 and rounded once each: p
is made from the unrounded s. The published tests call this function rmsprop_step while the entry
check asks for RMSProp; here it is RMSProp.
"""

import torch

from kernelbenchx.spec import Close, Mutant, argument, case, ignore_argument, optimizer_step


def RMSProp(
    param: torch.Tensor,
    grad: torch.Tensor,
    square_avg: torch.Tensor,
    lr: float = 1e-2,
    alpha: float = 0.99,
    eps: float = 1e-8,
    weight_decay: float = 0.0,
) -> tuple[torch.Tensor, torch.Tensor]:
    wide = torch.promote_types(param.dtype, torch.float32)
    p = param.to(wide)
    g = grad.to(wide) + weight_decay * p
    s = alpha * square_avg.to(wide) + (1 - alpha) * g * g
    return param.copy_(p - lr * g / (s.sqrt() + eps)), square_avg.copy_(s)


def eager(param, grad, square_avg, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0.0):
    """As torch.optim.RMSprop does it, operator by operator."""
    g = grad.add(param, alpha=weight_decay) if weight_decay else grad
    square_avg.mul_(alpha).addcmul_(g, g, value=1 - alpha)
    param.addcdiv_(g, square_avg.sqrt().add_(eps), value=-lr)
    return param, square_avg


def rounding(param, grad, square_avg, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0.0):
    """The sums without signs; what rounds g moves the step by as much, relatively."""
    size = grad.abs() + abs(weight_decay) * param.abs()
    g = (grad + weight_decay * param).abs()
    s = alpha * square_avg + (1 - alpha) * g * g
    wrong = alpha * square_avg + size * (size + g)  # 1 - alpha magnifies the rounding of alpha
    below = s.sqrt() + eps
    relative = torch.where(s > 0, wrong / s.clamp(min=1e-300), 0.0)
    moved = param.abs() + lr * (size + g * (2 + relative / 2)) / below
    return (moved, wrong) * 2


def _eps_inside(param, grad, square_avg, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0.0):
    p = param.clone()
    returned = RMSProp(param, grad, square_avg, lr, alpha, eps, weight_decay)
    g = grad.float() + weight_decay * p.float()
    s = square_avg.float()
    param.copy_(p.float() - lr * g / (s + eps).sqrt())
    return returned


def _old_square(param, grad, square_avg, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0.0):
    p, s = param.clone(), square_avg.float()
    returned = RMSProp(param, grad, square_avg, lr, alpha, eps, weight_decay)
    g = grad.float() + weight_decay * p.float()
    param.copy_(p.float() - lr * g / (s.sqrt() + eps))
    return returned


def _decouple_decay(param, grad, square_avg, lr=1e-2, weight_decay=0.0, **words):
    decay = lr * weight_decay * param.float()
    returned = RMSProp(param, grad, square_avg, lr=lr, **words)
    param.copy_(param.float() - decay)
    return returned


def _gradient_written(param, grad, square_avg, weight_decay=0.0, **words):
    grad.add_(weight_decay * param)
    return RMSProp(param, grad, square_avg, **words)


def _one_block(param, grad, square_avg, **words):
    old, places = param.clone(), torch.arange(param.numel(), device=param.device)
    returned = RMSProp(param, grad, square_avg, **words)
    param.copy_(torch.where(places.reshape(param.shape) < 256, param, old))
    return returned


TASK = optimizer_step(
    RMSProp,
    state={"square_avg": "positive"},
    arguments=(
        argument("lr", not_given=None, tenth=0.1, small=1e-3),
        argument("alpha", not_given=None, half=0.5, high=0.999),
        argument("eps", not_given=None, large=1e-2),
        argument("weight_decay", not_given=None, half=0.5, small=0.01),
    ),
    flops=10,
    eager=eager,
    contract=Close(scale=rounding),
    # In bfloat16 eager rounds the mean square before its use, which the statement forbids.
    timings=case(shape=(2**24,), dtype=torch.float32)
    + case(shape=(8192, 4096), dtype=torch.float32, weight_decay=0.01)
    + case(shape=(2**24 + 1,), dtype=torch.float32, lr=0.1),
    mutants=(
        Mutant("eps inside the root", _eps_inside, ("eps",)),
        Mutant("old mean square in the update", _old_square, ("square_avg",)),
        Mutant("decay apart from the gradient", _decouple_decay, ("weight_decay",)),
        Mutant("decay written into grad", _gradient_written, ("grad", "weight_decay")),
        Mutant("only the first 256 elements", _one_block, ("W-BLOCK", "B-ENTRY", "param")),
        *(ignore_argument(RMSProp, one) for one in ("lr", "alpha", "eps", "weight_decay")),
    ),
    difficulty=3,
    audit=("B-ENTRY", "W-BLOCK"),
)
