"""A function of autograd that keeps what it needs in its context.

with: triton, relu_kernel
"""


class Relu(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.size = x.numel()
        y = torch.empty_like(x)
        if ctx.size:
            relu_kernel[(triton.cdiv(ctx.size, 1024),)](y, x, ctx.size, BLOCK=1024)
        return y

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = Relu.apply(input.contiguous())
    return input.copy_(y) if inplace else y
