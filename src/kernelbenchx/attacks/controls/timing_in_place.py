"""A kernel that writes its answer into its arguments.

with: triton
task: AdamW
device: cuda
stage: perf
"""

import math


@triton.jit
def _adamw(
    param,
    grad,
    exp_avg,
    exp_avg_sq,
    n,
    keep,
    size,
    root,
    beta1,
    rest1,
    beta2,
    rest2,
    eps,
    BLOCK: tl.constexpr,
):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    p = tl.load(param + at, mask=mask, other=0.0).to(tl.float32)
    g = tl.load(grad + at, mask=mask, other=0.0).to(tl.float32)
    m = tl.load(exp_avg + at, mask=mask, other=0.0).to(tl.float32)
    v = tl.load(exp_avg_sq + at, mask=mask, other=0.0).to(tl.float32)
    m = beta1 * m + rest1 * g
    v = beta2 * v + rest2 * g * g
    p = p * keep - size * m / (tl.sqrt(v) / root + eps)
    tl.store(param + at, p.to(param.dtype.element_ty), mask=mask)
    tl.store(exp_avg + at, m.to(exp_avg.dtype.element_ty), mask=mask)
    tl.store(exp_avg_sq + at, v.to(exp_avg_sq.dtype.element_ty), mask=mask)


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
    given = (param, exp_avg, exp_avg_sq)
    p, m, v = param.contiguous(), exp_avg.contiguous(), exp_avg_sq.contiguous()
    n = param.numel()
    if n:
        _adamw[(triton.cdiv(n, 1024),)](
            p,
            grad.contiguous(),
            m,
            v,
            n,
            1 - lr * weight_decay,
            lr / (1 - beta1**step),
            math.sqrt(1 - beta2**step),
            beta1,
            1 - beta1,
            beta2,
            1 - beta2,
            eps,
            BLOCK=1024,
        )
    for tensor, dense in zip(given, (p, m, v), strict=True):
        if not tensor.is_contiguous():
            tensor.copy_(dense)
    return given
