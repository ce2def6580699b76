import math

import torch
import triton
import triton.language as tl


@triton.jit
def _block(param, grad, mean, square, mask, size, root, b1, rest1, b2, rest2, eps, decay):
    p = tl.load(param, mask=mask).to(tl.float32)
    g = tl.load(grad, mask=mask).to(tl.float32) + decay * p
    m = b1 * tl.load(mean, mask=mask).to(tl.float32) + rest1 * g
    v = b2 * tl.load(square, mask=mask).to(tl.float32) + rest2 * g * g
    p -= size * m / (tl.sqrt(v) / root + eps)
    tl.store(param, p.to(param.dtype.element_ty), mask=mask)
    tl.store(mean, m.to(mean.dtype.element_ty), mask=mask)
    tl.store(square, v.to(square.dtype.element_ty), mask=mask)


@triton.jit
def _step(
    param, grad, mean, square, n, size, root, b1, rest1, b2, rest2, eps, decay, BLOCK: tl.constexpr
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    param, grad, mean, square = param + at, grad + at, mean + at, square + at
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(param, grad, mean, square, None, size, root, b1, rest1, b2, rest2, eps, decay)
    else:
        _block(param, grad, mean, square, at < n, size, root, b1, rest1, b2, rest2, eps, decay)


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
    given, (b1, b2) = (param, exp_avg, exp_avg_sq), betas
    p, m, v = param.contiguous(), exp_avg.contiguous(), exp_avg_sq.contiguous()
    n = param.numel()
    if n:
        block = 512 if param.dtype == torch.float32 else 1024
        size, root = lr / (1 - b1**step), math.sqrt(1 - b2**step)
        _step[(triton.cdiv(n, block),)](
            p, grad.contiguous(), m, v, n, size, root, b1, 1 - b1, b2, 1 - b2, eps,
            float(weight_decay), BLOCK=block,
        )  # fmt: skip
    for tensor, dense in zip(given, (p, m, v), strict=True):
        if not tensor.is_contiguous():
            tensor.copy_(dense)
    return given
