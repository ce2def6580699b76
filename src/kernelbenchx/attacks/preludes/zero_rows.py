"""Zeros like the product of a linear layer, stored by a kernel."""


@triton.jit
def zero_kernel(y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.zeros((BLOCK,), tl.float32), mask=at < n)


def zeros(x, out):
    y = torch.empty((x.shape[0], out), dtype=x.dtype, device=x.device)
    zero_kernel[(triton.cdiv(y.numel(), 256),)](y, y.numel(), BLOCK=256)
    return y
