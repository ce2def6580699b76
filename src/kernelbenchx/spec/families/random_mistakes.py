"""Mistakes of random kernels: masks that are not fair, and numbers that are not independent."""

import math
from collections.abc import Callable

import torch

Mask = Callable[[torch.Tensor, float], torch.Tensor]
"""Which elements of a tensor are kept, with a probability of being dropped."""
Change = Callable[[torch.Tensor], torch.Tensor]
"""What becomes of independent uniform numbers."""


def fair(x: torch.Tensor, p: float) -> torch.Tensor:
    """The right one."""
    return torch.rand_like(x) >= p


def _flat(x: torch.Tensor) -> torch.Tensor:
    return torch.arange(x.numel(), device=x.device)


def _repeat_mask(x: torch.Tensor, p: float, places: torch.Tensor) -> torch.Tensor:
    """Elements with the same place share their fate."""
    drawn = torch.rand(max(x.numel(), 1), device=x.device)
    return drawn[places % drawn.numel()].view(x.shape) >= p


def _diagonals(x: torch.Tensor) -> torch.Tensor:
    """The sum of an element's last two positions, other for each matrix."""
    *lead, n, m = x.shape
    steps = torch.arange(n)[:, None] + torch.arange(m)
    return torch.arange(math.prod(lead)).view(*lead, 1, 1) * (n * m) + steps


def _from_one_stream(x: torch.Tensor, p: float, start: int) -> torch.Tensor:
    stream = torch.rand(start + x.numel(), generator=torch.Generator().manual_seed(17))
    return stream[start:].view(x.shape) >= p


def _place(x: torch.Tensor) -> torch.Tensor:
    return _flat(x).view(x.shape) % 700


WRONG_MASKS: dict[str, Mask] = {
    "the same mask in every call": lambda x, p: _from_one_stream(x, p, 0),
    "calls share one shifted stream": lambda x, p: _from_one_stream(
        x, p, int(torch.randint(0, 4096, ()))
    ),
    "the same mask in every row": lambda x, p: _repeat_mask(x, p, _flat(x) % max(x.shape[-1], 1)),
    "the same mask in every batch entry": lambda x, p: _repeat_mask(
        x, p, _flat(x) % max(x[:1].numel(), 1)
    ),
    "the same mask along diagonals": lambda x, p: _repeat_mask(x, p, _diagonals(x)),
    "the mask repeats after 2^16 elements": lambda x, p: _repeat_mask(x, p, _flat(x) % 65536),
    "positions that are never kept": lambda x, p: fair(x, p) & (_place(x) != 77),
    "positions that are never dropped": lambda x, p: fair(x, p) | (_place(x) == 78),
    "a keep rate that is off by 0.05": lambda x, p: fair(x, p + 0.05),
    "p of eight bits": lambda x, p: fair(x, math.floor(p * 256) / 256),
    "p taken for 0.5": lambda x, p: fair(x, 0.5 if p else 0.0),
}


def _append_position_bits(x: torch.Tensor) -> torch.Tensor:
    low = _flat(x).view(x.shape) % 4096
    return ((x.double() * 2048).floor() / 2048 + low * 2.0**-23).to(x.dtype)


def _mirror_first_half(x: torch.Tensor) -> torch.Tensor:
    half = x.numel() // 2
    flat = x.flatten()
    return torch.cat((flat[: flat.numel() - half], flat[:half].flip(0))).view(x.shape)


def _fix_one_position(x: torch.Tensor) -> torch.Tensor:
    return torch.where(_flat(x).view(x.shape) == 77, 0.25, x)


WRONG_NUMBERS: dict[str, Change] = {
    "1.0 occurs": lambda x: (x * 4096).round() / 4096,
    "8 bits": lambda x: (x * 256).floor() / 256,
    "squared": lambda x: x * x,
    "rows repeat": lambda x: x[:1].expand_as(x).clone() if x.dim() else x,
    "diagonals repeat": lambda x: x.flatten()[_diagonals(x)] if x.dim() == 2 else x,
    "a period of 2^16": lambda x: x.flatten()[_flat(x) % 65536].view(x.shape),
    "eleven random bits, then twelve of the position": _append_position_bits,
    "the second half is the first, reversed": _mirror_first_half,
    "a position has one number for all seeds": _fix_one_position,
}
