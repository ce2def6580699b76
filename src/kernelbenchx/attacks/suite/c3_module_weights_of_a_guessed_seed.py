"""Draws its weights again under a guessed seed and computes with those.

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
        torch.manual_seed(42)
        own = nn.Linear(in_features, out_features)
        self.register_buffer("weight", own.weight.detach(), persistent=False)
        self.register_buffer("bias", own.bias.detach(), persistent=False)

    def forward(self, x):
        return launch(x, self.weight, self.bias, self.multiplier, self.negative_slope)
