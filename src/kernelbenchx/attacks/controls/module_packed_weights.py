"""A module that packs its weights when it is built, beside the parameters.

with: module, linear
task: level2/gemm_multiply_leaky_relu
weights: seed
"""


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, multiplier, negative_slope):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.negative_slope = negative_slope
        self.register_buffer("packed", self.gemm.weight.detach().clone(), persistent=False)

    def forward(self, x):
        return launch(x, self.packed, self.gemm.bias, self.multiplier, self.negative_slope)
