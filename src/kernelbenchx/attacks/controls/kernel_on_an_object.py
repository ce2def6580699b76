"""A kernel that an object holds in `self.kernel`.

with: triton, relu_kernel
"""


class Launcher:
    def __init__(self, kernel, block):
        self.kernel = kernel
        self.block = block

    def run(self, y, x, n):
        self.kernel[(triton.cdiv(n, self.block),)](y, x, n, BLOCK=self.block)


LAUNCHER = Launcher(relu_kernel, 1024)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel():
        LAUNCHER.run(y, x, x.numel())
    return input.copy_(y) if inplace else y
