import math

import torch
import triton
import triton.language as tl


@triton.jit
def _select(
    out, x, index, rows, named, size, inner, across,
    ALL: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr
):  # fmt: skip
    """Rows of `inner` elements: row (o, j) of the result is row (o, index[j]) of the input."""
    r = (tl.program_id(0) // across).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    c = (tl.program_id(0) % across * COLUMNS + tl.arange(0, COLUMNS))[None, :]
    seen = r < rows
    place = tl.load(index + r % named, mask=seen, other=0).to(tl.int64)
    source = ((r // named * size + place) * inner)[:, None] + c
    # Whole columns need no mask of their own, and load as vectors whatever `inner` is.
    mask = seen[:, None] if ALL else seen[:, None] & (c < inner)
    tl.store(out + (r * inner)[:, None] + c, tl.load(x + source, mask=mask), mask=mask)


def index_select(input: torch.Tensor, dim: int, index: torch.Tensor) -> torch.Tensor:
    x, places = input.contiguous(), index.contiguous()
    axis = dim % x.dim()
    named, inner = places.numel(), math.prod(x.shape[axis + 1 :])
    out = x.new_empty((*x.shape[:axis], named, *x.shape[axis + 1 :]))
    if out.numel():
        columns = min(triton.next_power_of_2(inner), 256)
        # Several rows a program: some thousand values, more where they are small.
        height = max((2048 if x.itemsize <= 2 else 1024) // columns, 1)
        across, rows = triton.cdiv(inner, columns), out.numel() // inner
        _select[(triton.cdiv(rows, height) * across,)](
            out, x, places, rows, named, x.shape[axis], inner, across,
            ALL=inner % columns == 0, ROWS=height, COLUMNS=columns
        )  # fmt: skip
    return out
