"""A kernel that is an attribute of a class.

with: triton, relu_kernel
"""


class Relu:
    kernel = relu_kernel
    BLOCK = 1024

    @classmethod
    def run(cls, x):
        y = torch.empty_like(x)
        n = x.numel()
        if n:
            cls.kernel[(triton.cdiv(n, cls.BLOCK),)](y, x, n, BLOCK=cls.BLOCK)
        return y


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = Relu.run(input.contiguous())
    return input.copy_(y) if inplace else y
