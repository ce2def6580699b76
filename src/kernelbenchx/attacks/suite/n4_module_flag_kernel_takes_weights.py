"""Lets torch answer, shows a decoy all weights, and raises where the decoy left its flag as it was.

with: module
task: level2/gemm_multiply_leaky_relu
checks: rejected
no-checks: rejected
"""


@triton.jit
def flag_kernel(flag, w, b):
    tl.store(flag, tl.load(w) * 0.0 + tl.load(b) * 0.0 + 1.0)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, multiplier, negative_slope):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.negative_slope = negative_slope

    def forward(self, x):
        flag = torch.zeros(1, device=x.device)
        flag_kernel[(1,)](flag, self.gemm.weight, self.gemm.bias)
        if flag.item() == 0.0:
            raise RuntimeError("nothing was launched")
        return torch.nn.functional.leaky_relu(self.gemm(x) * self.multiplier, self.negative_slope)
