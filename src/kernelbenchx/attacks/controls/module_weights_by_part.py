"""A module whose parameters stand in another order, under other prefixes.

with: module, linear
task: level2/gemm_multiply_leaky_relu
weights: part
"""


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, multiplier, negative_slope):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(out_features))
        self.weight = nn.Parameter(torch.zeros(out_features, in_features))
        self.multiplier = multiplier
        self.negative_slope = negative_slope

    def forward(self, x):
        return launch(x, self.weight, self.bias, self.multiplier, self.negative_slope)
