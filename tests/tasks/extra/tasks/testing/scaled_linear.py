"""A task given as a module: y = scale * (x @ weight^T) + bias with seeded parameters.

`scale` is a constructor argument; weight (out, in) and bias (out,) are the module's parameters.
Computed in float32.
"""

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, grid

FLOATS = (torch.float32,)


class ScaledLinear(torch.nn.Module):
    def __init__(self, inner: int, outer: int, scale: float) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.empty(outer, inner))
        self.bias = torch.nn.Parameter(torch.empty(outer))
        self.scale = scale

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.scale * (x @ self.weight.T) + self.bias


def inputs(draw: Draw, rows: int, inner: int, outer: int, dtype: torch.dtype) -> Call:
    state = {"weight": draw.normal((outer, inner), dtype), "bias": draw.normal((outer,), dtype)}
    x = draw.normal((rows, inner), dtype)
    return Call(args=(x,), init=(inner, outer, 3.0), state=state)


def cost(rows: int, inner: int, outer: int, dtype: torch.dtype) -> Cost:
    count = rows * inner + inner * outer + outer + rows * outer
    return Cost(flops=2 * rows * inner * outer, bytes=count * dtype.itemsize)


def scale_of(x: torch.Tensor, state: dict[str, torch.Tensor]) -> torch.Tensor:
    return 3 * (x.abs() @ state["weight"].abs().T) + state["bias"].abs()


class _WithoutBias(ScaledLinear):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.scale * (x @ self.weight.T)


class _WithoutScale(ScaledLinear):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self.weight.T + self.bias


class _Transposed(ScaledLinear):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x).flip(0)


TASK = Task(
    reference=ScaledLinear,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=scale_of),
    checks=grid(rows=(1, 5), inner=(7, 33), outer=(4,), dtype=FLOATS),
    timings=grid(rows=(4096,), inner=(1024,), outer=(1024,), dtype=FLOATS),
    mutants=(
        Mutant("no bias", _WithoutBias),
        Mutant("no scale", _WithoutScale),
        Mutant("rows reversed", _Transposed),
        Patch("first element only", "mask = at < inner", "mask = at < 1"),
        Patch("bias of the first column", "tl.load(b + column)", "tl.load(b)"),
    ),
    dtypes=FLOATS,
    difficulty=2,
    languages=("triton", "cuda"),
)
