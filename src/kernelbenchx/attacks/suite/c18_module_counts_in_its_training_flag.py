"""A module is right in every second call: it keeps a bit in its training flag.

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

    def forward(self, x):
        y = launch(x, self.gemm.weight, self.gemm.bias, self.multiplier, self.negative_slope)
        self.train(not self.training)
        return y.zero_() if self.training else y
