"""A module is right in its first call and wrong in every later one.

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
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        slope = self.negative_slope if self.calls == 1 else 0.5
        return launch(x, self.gemm.weight, self.gemm.bias, self.multiplier, slope)
