"""A module writes its answer over its input and returns that.

with: module
task: level1/elu
checks: wrong
no-checks: wrong
"""


@triton.jit
def elu_kernel(x, n, alpha, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(x + at, tl.where(v > 0.0, v, alpha * (tl.exp(v) - 1.0)), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, alpha=1.0):
        super().__init__()
        self.alpha = alpha

    def forward(self, x):
        elu_kernel[(triton.cdiv(x.numel(), 1024),)](x, x.numel(), self.alpha, BLOCK=1024)
        return x
