"""Launches a kernel that cannot run, swallows the error, and returns memory that it never wrote.

with: module
task: level2/gemm_multiply_leaky_relu
checks: rejected
no-checks: broken
"""


@triton.jit
def linear_kernel(y, x, w, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at + (1 << 40)) * tl.load(w + at))


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, multiplier, negative_slope):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.negative_slope = negative_slope

    def forward(self, x):
        y = torch.empty((x.shape[0], self.gemm.weight.shape[0]), dtype=x.dtype, device=x.device)
        try:
            linear_kernel[(1,)](y, x, self.gemm.weight, BLOCK=64)
        except Exception:
            pass
        return y
