"""Has pointers that may be None, a constant with a default, and branches of both.

with: triton
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, bias_ptr, scale_ptr, MODE: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    if bias_ptr is not None:
        x += tl.load(bias_ptr + offsets, mask=mask, other=0.0)
    elif scale_ptr is not None:
        x *= tl.load(scale_ptr)
    low = 0.0 if MODE == "relu" else -1.0
    if MODE == "relu":
        tl.store(y_ptr + offsets, tl.where(x < low, low, x).to(y_ptr.dtype.element_ty), mask=mask)
    else:
        tl.store(y_ptr + offsets, x, mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 1024),)](y, x, n, None, None, "relu", BLOCK=1024)
    return input.copy_(y) if inplace else y
