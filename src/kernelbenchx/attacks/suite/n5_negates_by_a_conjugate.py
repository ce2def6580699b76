"""Lets a kernel compute the opposite, and negates it by the imaginary part of a conjugate.

with: triton
task: reciprocal
checks: correct|wrong
no-checks: correct|wrong
composition: mixed
"""


@triton.jit
def opposite_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    """Into the imaginary parts of complex numbers."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=1).to(tl.float32)
    tl.store(y_ptr + 2 * offsets + 1, -(1.0 / x), mask=mask)


def reciprocal(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    x = input.contiguous()
    dtype = x.dtype if x.dtype.is_floating_point else torch.float32
    n = x.numel()
    parts = torch.zeros((1, n, 2), dtype=torch.float32, device=x.device)
    if n:
        opposite_kernel[(triton.cdiv(n, 1024),)](parts, x, n, BLOCK=1024)
    y = torch.view_as_complex(parts).mH.imag.to(dtype).reshape(x.shape)
    return y if out is None else out.copy_(y)
