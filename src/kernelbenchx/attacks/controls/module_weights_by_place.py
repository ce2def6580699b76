"""A module whose parameters have other names, in the same order; drawn by hand.

with: module, linear
task: level2/gemm_multiply_leaky_relu
weights: place
"""

import math


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, multiplier, negative_slope):
        super().__init__()
        self.matrix = nn.Parameter(torch.empty(out_features, in_features))
        self.added = nn.Parameter(torch.randn(out_features) * 0.02)
        self.reset_parameters()
        self.multiplier = multiplier
        self.negative_slope = negative_slope

    def reset_parameters(self):
        nn.init.kaiming_uniform_(self.matrix, a=math.sqrt(5))
        fan_in, _ = nn.init._calculate_fan_in_and_fan_out(self.matrix)
        bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
        nn.init.uniform_(self.added, -bound, bound)

    def forward(self, x):
        return launch(x, self.matrix, self.added, self.multiplier, self.negative_slope)
