"""A module works on a plan of plain numbers that its constructor made.

with: module, linear
task: level2/gemm_multiply_leaky_relu
weights: name
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Plan:
    multiplier: float
    slope: float


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, multiplier, negative_slope):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.plan = Plan(multiplier, negative_slope)
        self.register_buffer("one", torch.ones(1), persistent=False)

    def forward(self, x):
        return launch(x, self.gemm.weight, self.gemm.bias, self.plan.multiplier, self.plan.slope)
