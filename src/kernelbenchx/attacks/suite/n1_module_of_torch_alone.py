"""A module whose forward is torch and nothing else, with a kernel that it never launches.

with: module, zero_rows
task: level2/gemm_multiply_leaky_relu
checks: rejected
no-checks: rejected
"""


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, multiplier, negative_slope):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.negative_slope = negative_slope

    def forward(self, x):
        return torch.nn.functional.leaky_relu(self.gemm(x) * self.multiplier, self.negative_slope)
