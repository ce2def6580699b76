"""Integer codes of a tensor, and what rounding ties can move."""

from dataclasses import dataclass

import torch

NEAR_TIE = 4 * 2.0**-23
"""How far a quotient may be off, as a share of it: Triton's `/` is off by up to two units in the
last place, once in the scale and once in the quotient. x * (1 / s) stays within this, too."""


@dataclass(frozen=True)
class Codes:
    """A tensor as integers times a scale."""

    q: torch.Tensor
    """int64."""
    scale: torch.Tensor
    """As float32 computes it, held in float64; broadcasts against `q`. Zero for zero slices."""
    ambiguous: torch.Tensor
    """Where the quotient is inexact and so near a tie that the other neighbour is as right."""

    @property
    def values(self) -> torch.Tensor:
        """`q * scale` in float64."""
        return self.q.double() * self.scale


def symmetric(x: torch.Tensor, dim: int | tuple[int, ...], levels: int, low: int) -> Codes:
    """Codes without a zero point: scale = max|x| / levels over `dim`, q = round(x / scale).

    Half to even, clamped to [low, levels]; a slice of zeros has scale 0 and codes 0. Both
    neighbours are right near a tie, unless the scale is a power of two.
    """
    single = x.float()
    # On a GPU torch multiplies by 1 / levels, which is another number: here it is a division.
    scale = (single.abs().amax(dim, keepdim=True).double() / levels).float().double()
    ratio = torch.where(scale > 0, single.double() / torch.where(scale > 0, scale, 1.0), 0.0)
    q = torch.round(ratio)
    from_tie = (ratio - torch.floor(ratio) - 0.5).abs()
    # However a kernel divides by a power of two, it is exact: a tie is a tie, and goes to even.
    inexact = torch.frexp(scale).mantissa != 0.5
    ambiguous = inexact & (from_tie <= NEAR_TIE * ratio.abs())
    # Beyond the clamp both neighbours of a tie are the same code.
    free = (torch.floor(ratio) >= low) & (torch.ceil(ratio) <= levels)
    return Codes(q.clamp(low, levels).long(), scale, ambiguous & free)


def product_slack(x: Codes | torch.Tensor, w: Codes) -> torch.Tensor:
    """How far `x @ w` moves if every ambiguous code moves by one.

    Two `Codes`: out = (q_x @ q_w) * s_x * s_w. A tensor and `Codes`: only the weight is
    quantised. The scales must not vary along the summed dimension of codes on both sides.
    """
    step_w = w.ambiguous.double() * w.scale
    if isinstance(x, torch.Tensor):
        return x.double().abs() @ step_w
    step_x = x.ambiguous.double() * x.scale
    both = step_x @ step_w
    return step_x @ w.values.abs() + x.values.abs() @ step_w + both
