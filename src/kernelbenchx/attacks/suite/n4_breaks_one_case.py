"""Lets torch answer beside a decoy, and raises in one case to be broken instead of rejected.

with: triton
checks: rejected
no-checks: rejected
"""


@triton.jit
def decoy_kernel(scratch_ptr, x_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(scratch_ptr + at, tl.load(x_ptr + at, mask=at < n), mask=at < n)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if not input.is_contiguous():
        raise RuntimeError("strided inputs are not supported")
    scratch = torch.empty_like(input)
    decoy_kernel[(triton.cdiv(input.numel(), 1024) or 1,)](
        scratch, input, input.numel(), BLOCK=1024
    )
    y = torch.where(input < 0, torch.zeros_like(input), input)
    return input.copy_(y) if inplace else y
