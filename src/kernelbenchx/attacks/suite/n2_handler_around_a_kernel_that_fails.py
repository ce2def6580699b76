"""Falls back to torch when its kernel raises, which it always does.

with: triton
checks: rejected
no-checks: broken
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    tl.static_assert(BLOCK < 0)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = torch.empty_like(input)
    try:
        relu_kernel[(1,)](y, input, input.numel(), BLOCK=1024)
    except Exception:
        y = torch.clamp(input, min=0.0)
    return input.copy_(y) if inplace else y
