"""Zeros like the input, stored by a kernel."""


@triton.jit
def zero_kernel(y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + offsets, tl.zeros((BLOCK,), tl.float32), mask=offsets < n)


def zeros(input):
    y = torch.empty(input.shape, dtype=input.dtype, device=input.device)
    n = y.numel()
    if n:
        zero_kernel[(triton.cdiv(n, 1024),)](y, n, BLOCK=1024)
    return y
