"""One step of gradient descent with momentum, in place.

    g = grad + weight_decay * param
    b = momentum * momentum_buffer + (1 - dampening) * g    (b = g where momentum_buffer is None)
    d = g + momentum * b if nesterov else b
    p = param - lr * d
param and momentum_buffer become p and b, and (param, momentum_buffer) is returned. Where
momentum_buffer is None this is the first step: b is g, not dampened, and comes back as a new
contiguous tensor of param's dtype. With momentum=0 there is no buffer: p = param - lr * g, and
momentum_buffer is neither read nor written and returned as it was given, also None. NaN and
infinities follow IEEE arithmetic. 16-bit tensors are computed in float32 and rounded once each: p
is made from the unrounded b. g is not written into grad.
The published description asks for an optimizer class and its tests call sgd_step; here it is that
function under the name SGD. Its first step is that of torch.optim.SGD.
"""

import torch

from kernelbenchx.spec import Close, Mutant, argument, case, ignore_argument
from kernelbenchx.spec.families.fused_optimizers import fused_takes, options
from kernelbenchx.spec.families.optimizer_first_step import step_with_buffer
from kernelbenchx.spec.families.optimizer_mistakes import decay_apart, decay_in_grad
from kernelbenchx.spec.families.optimizer_mistakes import moved_otherwise as moved


def SGD(
    param: torch.Tensor,
    grad: torch.Tensor,
    momentum_buffer: torch.Tensor | None = None,
    lr: float = 0.1,
    momentum: float = 0.9,
    weight_decay: float = 0.0,
    dampening: float = 0.0,
    nesterov: bool = False,
) -> tuple[torch.Tensor, torch.Tensor | None]:
    wide = torch.promote_types(param.dtype, torch.float32)
    p = param.to(wide)
    g = grad.to(wide) + weight_decay * p
    if not momentum:
        return param.copy_(p - lr * g), momentum_buffer
    b = g
    if momentum_buffer is not None:
        b = momentum * momentum_buffer.to(wide) + (1 - dampening) * g
    moved = p - lr * (g + momentum * b if nesterov else b)
    kept = torch.empty_like(param, memory_format=torch.contiguous_format)
    return param.copy_(moved), (kept if momentum_buffer is None else momentum_buffer).copy_(b)


def eager(*tensors, **words):
    """The kernel of torch.optim.SGD(fused=True); what it does not take is written out."""
    if words.get("momentum") == 0 or len(tensors) < 3 or not fused_takes(*tensors):
        return SGD(*tensors, **words)
    said = options(SGD, words) | {"maximize": False, "is_first_step": False}
    torch._fused_sgd_(*([one] for one in tensors), **said)
    return tensors[0], tensors[2]


def rounding(param, grad, momentum_buffer=None, lr=0.1, momentum=0.9, **words):
    """The sums without signs, and twice: 1 - dampening magnifies the rounding of dampening."""
    g = 2 * (grad.abs() + words.get("weight_decay", 0.0) * param.abs())
    if not momentum:
        return param.abs() + lr * g, None, param.abs() + lr * g
    old = 0.0 if momentum_buffer is None else 2 * momentum * momentum_buffer.abs()
    b = old + (1 + words.get("dampening", 0.0)) * g
    step = g + 2 * momentum * b if words.get("nesterov") else b
    return (param.abs() + lr * step, b) * 2


def _by(buffer):
    """The step along the gradient and this buffer, of a call that has one."""

    def rule(old, new):
        g = old.grad + old.weight_decay * old.param
        b = buffer(old, new) if old.momentum else g
        return old.param - old.lr * (g + old.momentum * b if old.nesterov else b)

    return rule


def _dampened_first(param, grad, momentum_buffer=None, momentum=0.9, **words):
    if momentum_buffer is None and momentum:
        momentum_buffer = torch.zeros_like(param, memory_format=torch.contiguous_format)
    return SGD(param, grad, momentum_buffer, momentum=momentum, **words)


def _buffer_always(param, grad, momentum_buffer=None, momentum=0.9, **words):
    if not momentum and momentum_buffer is not None:
        momentum_buffer.copy_(grad)
    return SGD(param, grad, momentum_buffer, momentum=momentum, **words)


_OPTIONS = ("lr", "momentum", "weight_decay", "dampening", "nesterov")
TASK = step_with_buffer(
    SGD,
    buffer="momentum_buffer",
    arguments=(
        argument("lr", not_given=None, small=0.02, one=1.0),
        argument("momentum", not_given=None, half=0.5, zero=0.0),
        argument("weight_decay", not_given=None, half=0.5, small=0.01),
        argument("dampening", not_given=None, half=0.5, most=0.9),
        argument("nesterov", not_given=None, no=False, yes=True),
    ),
    corners=(
        {"buffer": "none", "dampening": "half", "nesterov": "yes"},
        {"buffer": "none", "shape": "matrix", "layout": "transposed"},
        {"buffer": "none", "momentum": "zero"},
        {"momentum": "zero", "weight_decay": "half"},
        {"shape": "matrix", "momentum_buffer_layout": "strided"},
        {"nesterov": "yes", "dampening": "half", "weight_decay": "half", "dtype": "bfloat16"},
    ),
    wrong_first=Mutant("first step dampened", _dampened_first, ("momentum_buffer", "dampening")),
    flops=8,
    eager=eager,
    contract=Close(scale=rounding),
    timings=case(shape=(2**20,), dtype=torch.float32)
    + case(shape=(2**26,), dtype=torch.float32, nesterov=True, weight_decay=0.01)
    + case(shape=(4099, 4093), dtype=torch.bfloat16, momentum=0.5, dampening=0.5),
    mutants=(
        moved(SGD, "rounded buffer", _by(lambda _, new: new.momentum_buffer)),
        moved(SGD, "old buffer", _by(lambda old, _: old.momentum_buffer), "nesterov"),
        Mutant("buffer written without momentum", _buffer_always, ("momentum", "I-SIG")),
        decay_apart(SGD, "B-ENTRY"),
        decay_in_grad(SGD),
        *(ignore_argument(SGD, one, "W-ARG") for one in _OPTIONS),
    ),
    difficulty=3,
    audit=("I-SIG", "B-ENTRY", "W-ARG"),
)
