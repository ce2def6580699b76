"""How wrong a vector norm in floating point may be."""

import math

import torch


def norm_error(
    x: torch.Tensor, error: torch.Tensor, p: float, dim: int = -1, keepdim: bool = False
) -> torch.Tensor:
    """What errors of the elements move the p-norm by, and what its own roundings add.

    p is at least 1, or infinite. Sums of n powers drift by sqrt(n) at most; a power, and the root
    of the sum, magnify a rounding by the logarithm of what they are taken of.
    """
    moved: torch.Tensor = torch.linalg.vector_norm(
        error, max(p, 1.0) if p != -math.inf else math.inf, dim, True
    )
    if not math.isinf(p):
        size = x.abs()
        norm = torch.linalg.vector_norm(size, p, dim, keepdim=True)
        own = 2 + math.sqrt(x.shape[dim]) / 4 + torch.zeros_like(norm)
        if p not in (1, 2):
            shares = (size / norm.clamp(min=1e-300)) ** p
            logs = size.clamp(min=1e-300).log().abs()
            own = own + (shares * logs).sum(dim, keepdim=True) + norm.clamp(min=1e-300).log().abs()
        moved = moved + norm * own
    return moved if keepdim else moved.squeeze(dim)
