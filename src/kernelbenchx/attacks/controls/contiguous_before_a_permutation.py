"""Copies a strided input as it is, and permutes in a kernel.

with: triton
task: permute_copy
"""


@triton.jit
def permute_kernel(
    y_ptr, x_ptr, n, n1, n2, n3, s0, s1, s2, s3, BLOCK: tl.constexpr
):  # fmt: skip
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    d, rest = offsets % n3, offsets // n3
    c, rest = rest % n2, rest // n2
    b, a = rest % n1, rest // n1
    x = tl.load(x_ptr + a * s0 + b * s1 + c * s2 + d * s3, mask=mask, other=0)
    tl.store(y_ptr + offsets, x, mask=mask)


def permute_copy(input: torch.Tensor, dims: list[int]) -> torch.Tensor:
    view = input.contiguous().permute(tuple(dims))
    y = torch.empty(view.shape, dtype=view.dtype, device=view.device)
    sizes = [1] * (4 - view.dim()) + list(view.shape)
    steps = [0] * (4 - view.dim()) + list(view.stride())
    n = y.numel()
    if n:
        permute_kernel[(triton.cdiv(n, 1024),)](y, view, n, *sizes[1:], *steps, BLOCK=1024)
    return y
