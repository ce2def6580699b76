"""A kernel that writes into its own input where that is asked for.

with: triton, relu_kernel
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace and input.is_contiguous():
        if input.numel():
            relu_kernel[(triton.cdiv(input.numel(), 1024),)](
                input, input, input.numel(), BLOCK=1024
            )
        return input
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel():
        relu_kernel[(triton.cdiv(x.numel(), 1024),)](y, x, x.numel(), BLOCK=1024)
    return input.copy_(y) if inplace else y
