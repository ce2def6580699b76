"""Branches for each element in a function that is mapped over a block, if there are few of them.

with: triton
"""


@triton.jit
def positive_part(x):
    if x < 0.0:
        return x * 0.0
    return x


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, MAPPED: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    x = tl.maximum(x, -1.0e38, propagate_nan=tl.PropagateNan.ALL)
    if MAPPED:
        y = tl.map_elementwise(positive_part, x)
    else:
        y = tl.where(x < 0.0, x * 0.0, x)
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 256),)](y, x, n, n <= 4096, BLOCK=256)
    return input.copy_(y) if inplace else y
