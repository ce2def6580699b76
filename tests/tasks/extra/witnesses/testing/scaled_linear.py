import torch
import triton
import triton.language as tl


@triton.jit
def _linear(y, x, w, b, inner, outer, scale, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.program_id(1)
    at = tl.arange(0, BLOCK)
    mask = at < inner
    u = tl.load(x + row * inner + at, mask=mask, other=0.0)
    v = tl.load(w + column * inner + at, mask=mask, other=0.0)
    total = scale * tl.sum(u * v, axis=0) + tl.load(b + column)
    tl.store(y + row * outer + column, total)


class ScaledLinear(torch.nn.Module):
    def __init__(self, inner: int, outer: int, scale: float) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.empty(outer, inner))
        self.bias = torch.nn.Parameter(torch.empty(outer))
        self.scale = scale

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows, inner = x.shape
        outer = self.bias.numel()
        y = torch.empty((rows, outer), dtype=x.dtype, device=x.device)
        block = triton.next_power_of_2(inner)
        _linear[(rows, outer)](y, x, self.weight, self.bias, inner, outer, self.scale, BLOCK=block)
        return y
