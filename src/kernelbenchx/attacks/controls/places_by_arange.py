"""Hands a kernel the places of elements, as torch counts them.

with: triton
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, place_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    place = tl.load(place_ptr + offsets, mask=mask, other=0)
    x = tl.load(x_ptr + place, mask=mask, other=0.0)
    tl.store(y_ptr + place, tl.where(x < 0.0, 0.0, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        places = torch.arange(n, device=x.device)
        relu_kernel[(triton.cdiv(n, 1024),)](y, x, places, n, BLOCK=1024)
    return input.copy_(y) if inplace else y
