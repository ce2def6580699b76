"""Long chains of views, indices and aliases, which take no time to check.

with: triton, relu_kernel
"""

same = relu_kernel
again = same
kernel = again


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    flat = (
        x.view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
    )
    y = torch.empty_like(x)
    n = [[[[[[[[[[[[[[[[[[[[flat.numel()]]]]]]]]]]]]]]]]]]]][0][0][0][0][0][0][0][0][0][0][0][0][0][
        0
    ][0][0][0][0][0][0]
    if n:
        kernel[(triton.cdiv(n, 1024),)](y, flat, n, BLOCK=1024)
    return input.copy_(y) if inplace else y
