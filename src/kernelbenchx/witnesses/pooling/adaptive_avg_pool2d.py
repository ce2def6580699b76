import torch
import triton
import triton.language as tl

Sizes = int | tuple[int | None, int | None]


@triton.jit
def _pool(
    out, x, n, pixels, area, height, width, tall, wide, most_rows, most_columns,
    INDEX: tl.constexpr, OUTPUTS: tl.constexpr, LANES: tl.constexpr
):  # fmt: skip
    """Some outputs, with so many lanes each that share its bin."""
    begin = tl.program_id(0).to(tl.int64) * OUTPUTS
    # The block's start is divided in 64 bits, so that lanes can divide in 32.
    place = (begin % area).to(INDEX) + tl.arange(0, OUTPUTS)[:, None]
    plane = begin // area + place // area
    i, j = place % area // wide, place % wide
    top, bottom = i * height // tall, ((i + 1) * height + tall - 1) // tall
    left, right = j * width // wide, ((j + 1) * width + wide - 1) // wide
    seen = begin + tl.arange(0, OUTPUTS)[:, None] < n
    corner = x + plane * pixels + top * width + left
    total = tl.zeros((OUTPUTS, LANES), tl.float32)
    for first in range(0, most_rows * most_columns, LANES):
        tap = first + tl.arange(0, LANES)[None, :]
        row, column = tap // most_columns, tap % most_columns
        inside = seen & (row < bottom - top) & (column < right - left)
        total += tl.load(corner + row * width + column, mask=inside, other=0.0).to(tl.float32)
    count = ((bottom - top) * (right - left)).to(tl.float32)
    mean = tl.sum(total, axis=1)[:, None] / count
    to = out + begin + tl.arange(0, OUTPUTS)[:, None]
    tl.store(to, mean.to(out.dtype.element_ty), mask=seen)


def adaptive_avg_pool2d(input: torch.Tensor, output_size: Sizes) -> torch.Tensor:
    x = input.contiguous()
    height, width = x.shape[-2:]
    asked = (output_size, output_size) if isinstance(output_size, int) else output_size
    tall = height if asked[0] is None else asked[0]
    wide = width if asked[1] is None else asked[1]
    out = torch.empty((*x.shape[:-2], tall, wide), dtype=x.dtype, device=x.device)
    n = out.numel()
    if n:
        # A bin has at most so many rows: it begins and ends within one.
        rows, columns = -(-height // tall) + 1, -(-width // wide) + 1
        rows = height // tall if height % tall == 0 else rows
        columns = width // wide if width % wide == 0 else columns
        taps = rows * columns
        lanes = 1 if taps <= 16 else min(triton.next_power_of_2(taps), 256)
        outputs = 256 if lanes == 1 else max(1024 // lanes, 1)
        large = max(height * (tall + 1), width * (wide + 1), tall * wide, height * width) >= 2**30
        _pool[(triton.cdiv(n, outputs),)](
            out, x, n, height * width, tall * wide, height, width, tall, wide, rows, columns,
            INDEX=tl.int64 if large else tl.int32, OUTPUTS=outputs, LANES=lanes
        )  # fmt: skip
    return out
