"""Geometry of two-dimensional convolutions, and what TF32 takes from their operands."""

from collections.abc import Callable
from typing import Any

import torch

from kernelbenchx.spec.memory_traffic import along, windows


def pair(value: Any) -> tuple[int, int]:
    """Vertical, horizontal."""
    return (value, value) if isinstance(value, int) else (value[0], value[1])


def resolve_padding(
    weight: torch.Tensor, padding: Any, dilation: Any
) -> tuple[tuple[int, int], ...]:
    """Rows above and below, columns left and right."""
    if padding == "valid":
        return (0, 0), (0, 0)
    if padding == "same":
        sizes = zip(weight.shape[2:], pair(dilation), strict=True)
        extents = [step * (size - 1) for size, step in sizes]
        return tuple((extent // 2, extent - extent // 2) for extent in extents)
    return tuple((amount, amount) for amount in pair(padding))


def output_size(
    image: Any, weight: torch.Tensor, stride: Any = 1, padding: Any = 0, dilation: Any = 1
) -> list[int]:
    """Height and width of the output."""
    more, steps, gaps = resolve_padding(weight, padding, dilation), pair(stride), pair(dilation)
    return [
        (image[d] + sum(more[d]) - gaps[d] * (weight.shape[2 + d] - 1) - 1) // steps[d] + 1
        for d in (0, 1)
    ]


def count_pixels_read(image: Any, weight: torch.Tensor, itemsize: int, **geometry: Any) -> int:
    """Pixels of a channel that are read: a stride may step over some."""
    steps, gaps = (pair(geometry.get(name, 1)) for name in ("stride", "dilation"))
    before = [one[0] for one in resolve_padding(weight, geometry.get("padding", 0), gaps)]
    size, taps = output_size(image, weight, **geometry), weight.shape[2:]
    rows, columns = (
        windows(image[d], size[d], before[d], steps[d], taps[d], gaps[d]) for d in (0, 1)
    )
    return len(rows) * along(columns, itemsize)


def lost_to_tf32(
    product: Callable[[torch.Tensor, torch.Tensor], torch.Tensor], x: torch.Tensor, w: torch.Tensor
) -> torch.Tensor | None:
    """Of a bilinear product of absolute values; None where all operands fit in 16 bits."""
    if any(_fits((x, w), dtype) for dtype in (torch.float16, torch.bfloat16)):
        return None
    dx, dw = _compute_lost_bits(x), _compute_lost_bits(w)
    return product(dx, w + dw) + product(x, dw)


def _fits(tensors: tuple[torch.Tensor, ...], dtype: torch.dtype) -> bool:
    return all(torch.equal(tensor.to(dtype).double(), tensor) for tensor in tensors)


def _compute_lost_bits(x: torch.Tensor) -> torch.Tensor:
    """How much smaller float32 values become without the 13 bits that TF32 does not have."""
    return x - (x.float().view(torch.int32) & ~0x1FFF).view(torch.float32).double()
