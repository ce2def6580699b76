"""Finds its tensors by addresses that lie in memory, as a grouped product does.

with: triton
"""


@triton.jit
def relu_kernel(addresses_ptr, y_ptr, n, BLOCK: tl.constexpr):
    x_ptr = tl.load(addresses_ptr).to(tl.pointer_type(y_ptr.dtype.element_ty))
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        addresses = torch.tensor([x.data_ptr()], dtype=torch.int64, device=x.device)
        relu_kernel[(triton.cdiv(n, 256),)](addresses, y, n, BLOCK=256)
    return input.copy_(y) if inplace else y
