import torch
import triton
import triton.language as tl


@triton.jit
def _block(param, grad, mean, mask, lr, keep, beta1, rest1, beta2, rest2):
    p = tl.load(param, mask=mask).to(tl.float32)
    g = tl.load(grad, mask=mask).to(tl.float32)
    m = tl.load(mean, mask=mask).to(tl.float32)
    u = beta1 * m + rest1 * g
    step = tl.where(u > 0, lr, tl.where(u < 0, -lr, 0.0))
    tl.store(param, (p * keep - step).to(param.dtype.element_ty), mask=mask)
    tl.store(mean, (beta2 * m + rest2 * g).to(mean.dtype.element_ty), mask=mask)


@triton.jit
def _step(param, grad, mean, n, lr, keep, beta1, rest1, beta2, rest2, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(param + at, grad + at, mean + at, None, lr, keep, beta1, rest1, beta2, rest2)
    else:
        _block(param + at, grad + at, mean + at, at < n, lr, keep, beta1, rest1, beta2, rest2)


def Lion(
    param: torch.Tensor,
    grad: torch.Tensor,
    exp_avg: torch.Tensor,
    lr: float = 1e-4,
    beta1: float = 0.9,
    beta2: float = 0.99,
    weight_decay: float = 0.0,
) -> tuple[torch.Tensor, torch.Tensor]:
    p, m, n = param.contiguous(), exp_avg.contiguous(), param.numel()
    if n:
        block, keep = 512 if param.dtype == torch.float32 else 1024, 1 - lr * weight_decay
        _step[(triton.cdiv(n, block),)](
            p, grad.contiguous(), m, n, lr, keep, beta1, 1 - beta1, beta2, 1 - beta2, BLOCK=block
        )
    for tensor, dense in ((param, p), (exp_avg, m)):
        if not tensor.is_contiguous():
            tensor.copy_(dense)
    return param, exp_avg
