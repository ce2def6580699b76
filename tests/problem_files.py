"""Small KernelBench problems as files of a folder, right ones and flawed ones."""

from pathlib import Path

SCALED_RELU = "relu(x * scale + 1)"
_TASK = '''"""Each column of x times its weight, plus one, then ReLU.

`ModelNew(wide)`. x has shape (rows, wide).
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(self, wide: int) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.randn(wide))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        scale = self.scale
        return torch.{forward}


TASK = problem(
    Model,
    level=1,
    number={number},
    init=lambda rows, wide: (wide,),
    inputs=lambda x, rows, wide: (x(rows, wide),),
    published={{"rows": 64, "wide": 64}},
    small=({{"rows": 5, "wide": 33}}, {{"rows": 3, "wide": 16}}),
    unsound={unsound!r},
)
'''
WITNESS = """import torch
import triton
import triton.language as tl


@triton.jit
def scaled(x_ptr, scale_ptr, out_ptr, wide, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < wide
    x = tl.load(x_ptr + row * wide + at, mask=inside, other=0.0)
    scale = tl.load(scale_ptr + at, mask=inside, other=0.0)
    tl.store(out_ptr + row * wide + at, tl.maximum(x * scale + 1.0, 0.0), mask=inside)


class ModelNew(torch.nn.Module):
    def __init__(self, wide):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.empty(wide))

    def forward(self, x):
        out = torch.empty_like(x)
        block = triton.next_power_of_2(x.shape[1])
        scaled[(x.shape[0],)](x, self.scale, out, x.shape[1], BLOCK=block)
        return out
"""


def write_problem(
    folder: Path, name: str, forward: str = SCALED_RELU, unsound: str = "", witness: str = ""
) -> str:
    """Write `tasks/level1/<name>.py`, with a witness if there is one; the name of the task."""
    files = {"tasks": _TASK.format(forward=forward, unsound=unsound, number=9001)}
    if witness:
        files["witnesses"] = witness
    for kind, text in files.items():
        path = folder / kind / "level1" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return f"level1/{name}"
