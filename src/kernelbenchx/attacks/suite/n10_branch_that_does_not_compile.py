"""A branch for one type of input that only an interpreter can run.

with: triton
checks: broken
no-checks: broken
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, HALF: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    if HALF:
        for _ in range(2):
            x = tl.where(x < 0.0, 0.0, x)
            break  # no compiler of Triton takes that
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        half = x.dtype == torch.float16
        relu_kernel[(triton.cdiv(n, 256),)](y, x, n, HALF=half, BLOCK=256)
    return input.copy_(y) if inplace else y
