"""Raises unless its kernel reports success, as careful wrappers do.

with: triton
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, status_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)
    if tl.program_id(0) == 0:
        tl.store(status_ptr, 7)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        status = torch.zeros((1,), dtype=torch.int32, device=x.device)
        relu_kernel[(triton.cdiv(n, 1024),)](y, x, status, n, BLOCK=1024)
        if int(status.item()) != 7:
            raise RuntimeError("the kernel did not run")
    return input.copy_(y) if inplace else y
