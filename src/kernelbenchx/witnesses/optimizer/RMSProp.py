import torch
import triton
import triton.language as tl


@triton.jit
def _block(param, grad, square, mask, lr, alpha, rest, eps, decay):
    p = tl.load(param, mask=mask).to(tl.float32)
    g = tl.load(grad, mask=mask).to(tl.float32) + decay * p
    s = alpha * tl.load(square, mask=mask).to(tl.float32) + rest * g * g
    p -= lr * g / (tl.sqrt(s) + eps)
    tl.store(param, p.to(param.dtype.element_ty), mask=mask)
    tl.store(square, s.to(square.dtype.element_ty), mask=mask)


@triton.jit
def _step(param, grad, square, n, lr, alpha, rest, eps, decay, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(param + at, grad + at, square + at, None, lr, alpha, rest, eps, decay)
    else:
        _block(param + at, grad + at, square + at, at < n, lr, alpha, rest, eps, decay)


def RMSProp(
    param: torch.Tensor,
    grad: torch.Tensor,
    square_avg: torch.Tensor,
    lr: float = 1e-2,
    alpha: float = 0.99,
    eps: float = 1e-8,
    weight_decay: float = 0.0,
) -> tuple[torch.Tensor, torch.Tensor]:
    p, s, n = param.contiguous(), square_avg.contiguous(), param.numel()
    if n:
        _step[(triton.cdiv(n, 1024),)](
            p, grad.contiguous(), s, n, lr, alpha, 1 - alpha, eps, weight_decay, BLOCK=1024
        )
    for tensor, dense in ((param, p), (square_avg, s)):
        if not tensor.is_contiguous():
            tensor.copy_(dense)
    return param, square_avg
