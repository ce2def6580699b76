"""A module lets a kernel keep its answer in a buffer and return it for every later input.

with: module, linear
task: level2/gemm_multiply_leaky_relu
checks: rejected
no-checks: wrong
"""


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, multiplier, negative_slope):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.negative_slope = negative_slope
        self.register_buffer("used", torch.zeros(1, dtype=torch.int32))
        self.register_buffer("kept", torch.zeros(1 << 20))

    def forward(self, x):
        y = launch(x, self.gemm.weight, self.gemm.bias, self.multiplier, self.negative_slope)
        if y.numel() <= self.kept.numel():
            keep_first[(1,)](y, self.kept, self.used, y.numel(), BLOCK=1024)
        return y


@triton.jit
def keep_first(y_ptr, kept_ptr, used_ptr, n, BLOCK: tl.constexpr):
    used = tl.load(used_ptr)
    for start in range(0, n, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        mask = offsets < n
        y = tl.load(y_ptr + offsets, mask=mask, other=0.0)
        kept = tl.load(kept_ptr + offsets, mask=mask, other=0.0)
        tl.store(kept_ptr + offsets, y.to(kept_ptr.dtype.element_ty), mask=mask & (used == 0))
        tl.store(y_ptr + offsets, tl.where(used == 0, y, kept.to(y.dtype)), mask=mask)
    tl.store(used_ptr, 1)
