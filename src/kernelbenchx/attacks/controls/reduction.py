"""Rows reduced in one kernel.

with: triton
task: softmax
"""


@triton.jit
def softmax_kernel(y_ptr, x_ptr, n, COMPUTE: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + row + offsets, mask=mask, other=-float("inf")).to(COMPUTE)
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row + offsets, e / tl.sum(e, axis=0), mask=mask)


def softmax(input: torch.Tensor, dim: int, dtype=None) -> torch.Tensor:
    x = input.to(dtype or input.dtype)
    x = (x.reshape(1) if x.dim() == 0 else x).movedim(dim, -1).contiguous()
    y = torch.empty_like(x)
    n = x.shape[-1]
    if x.numel():
        compute = tl.float64 if x.dtype == torch.float64 else tl.float32
        block = triton.next_power_of_2(n)
        softmax_kernel[(x.numel() // n,)](y, x, n, COMPUTE=compute, BLOCK=block)
    return y.movedim(-1, dim).reshape(input.shape)
