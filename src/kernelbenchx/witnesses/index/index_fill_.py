import math

import torch
import triton
import triton.language as tl


@triton.jit
def _fill(
    x, index, number, rows, named, size, inner, across,
    ALL: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr
):  # fmt: skip
    """Rows of `inner` elements: row (o, index[j]) for every o and j."""
    r = (tl.program_id(0) // across).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    c = (tl.program_id(0) % across * COLUMNS + tl.arange(0, COLUMNS))[None, :]
    seen = r < rows
    place = tl.load(index + r % named, mask=seen, other=0)
    place = tl.where(place < 0, place + size, place)
    target = ((r // named * size + place) * inner)[:, None] + c
    # Whole columns need no mask of their own, and are stored as vectors whatever `inner` is.
    mask = seen[:, None] & (c >= 0) if ALL else seen[:, None] & (c < inner)
    value = tl.full((ROWS, COLUMNS), tl.load(number), x.dtype.element_ty)
    tl.store(x + target, value, mask=mask)


def index_fill_(dim: int, x: torch.Tensor, index: torch.Tensor, value: float) -> torch.Tensor:
    dense, places = x.contiguous(), index.contiguous()
    axis = dim % x.dim()
    size, named, inner = x.shape[axis], places.numel(), math.prod(x.shape[axis + 1 :])
    if x.numel() and named:
        # In memory it has every bit of the dtype; as an argument it would pass through float32.
        number = torch.full((1,), value, dtype=x.dtype, device=x.device)
        columns = min(triton.next_power_of_2(inner), 256)
        height = max((2048 if x.itemsize <= 2 else 1024) // columns, 1)
        across, rows = triton.cdiv(inner, columns), x.numel() // size // inner * named
        _fill[(triton.cdiv(rows, height) * across,)](
            dense, places, number, rows, named, size, inner, across,
            ALL=inner % columns == 0, ROWS=height, COLUMNS=columns
        )  # fmt: skip
        if not x.is_contiguous():
            x.copy_(dense)
    return x
