"""sigmoid(gate) * (x @ weight^T), with x (m, k), weight (n, k), gate (n,) and a result of (m, n).

All tensors have one dtype and may have any strides; sizes may be 0. Products are accumulated in
float32, float32 inputs without TF32; the gate is applied in float32 and the result is rounded once.
"""

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Task, call, case, grid

FLOATS = (torch.float32, torch.float16, torch.bfloat16)


def gated_projection(x: torch.Tensor, weight: torch.Tensor, gate: torch.Tensor) -> torch.Tensor:
    return torch.sigmoid(gate) * (x @ weight.T)


def exact(x: torch.Tensor, weight: torch.Tensor, gate: torch.Tensor) -> torch.Tensor:
    return gated_projection(x.double(), weight.double(), gate.double())


def scale_of(x: torch.Tensor, weight: torch.Tensor, gate: torch.Tensor) -> torch.Tensor:
    return torch.sigmoid(gate) * (x.abs() @ weight.abs().T)


def inputs(
    draw: Draw, sizes: tuple[int, int, int], dtype: torch.dtype, layout: str = "contiguous"
) -> Call:
    m, n, k = sizes
    return call(
        draw.laid_out(draw.normal((m, k), dtype), layout),
        draw.laid_out(draw.normal((n, k), dtype), layout),
        draw.laid_out(draw.normal((n,), dtype), "strided" if layout == "strided" else "contiguous"),
    )


def cost(sizes: tuple[int, int, int], dtype: torch.dtype, **_: object) -> Cost:
    m, n, k = sizes
    return Cost(flops=2 * m * n * k, bytes=(m * k + n * k + n + m * n) * dtype.itemsize)


TASK = Task(
    reference=gated_projection,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=scale_of),
    checks=grid(sizes=((33, 70, 45),), dtype=FLOATS)
    + grid(sizes=((65, 17, 20),), dtype=FLOATS, layout=("transposed", "strided"))
    + case(sizes=(0, 3, 4), dtype=torch.float32)
    + case(sizes=(3, 4, 0), dtype=torch.float32),
    timings=grid(sizes=((4096, 4096, 4096),), dtype=FLOATS),
    mutants=(),
    dtypes=FLOATS,
    difficulty=3,
    truth=exact,
)
