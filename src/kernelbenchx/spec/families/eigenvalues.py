"""Square matrices with well-conditioned largest eigenvalues, and how wrong those may be."""

import math

import torch

from kernelbenchx.spec.inputs import Draw

KINDS = (
    "positive", "symmetric", "orthogonal", "complex pair", "negative", "huge", "tiny", "zero",
)  # fmt: skip
"""Words for what is not ordinary; "complex pair" and "negative" say what the largest are."""
_NEAR = 0.9
"""Eigenvalues at least so large, as a share of the largest, count among the largest."""


def square_matrices(draw: Draw, shape: tuple[int, ...], kind: str) -> torch.Tensor:
    """Of one kind, in float64; those with a complex pair have n >= 2."""
    a, n = draw.normal(shape, torch.float64), shape[-1]
    basis: torch.Tensor = torch.linalg.qr(a)[0]
    # Else the largest eigenvalues of all matrices of a kind would be alike.
    scale = draw.uniform((*shape[:-2], 1, 1), torch.float64, 0.5, 2.0)
    if kind == "positive":
        return draw.uniform(shape, torch.float64)
    if kind == "symmetric":
        return a + a.mT
    if kind == "orthogonal":
        return scale * basis
    if kind in ("complex pair", "negative"):  # a small matrix and a large block in a random basis
        core = 0.3 / math.sqrt(n) * draw.normal(shape, torch.float64)
        block = torch.tensor([[0.6, 1.7], [-1.7, 0.6]] if kind == "complex pair" else [[-2.0]])
        core[..., : len(block)] = 0.0
        core[..., : len(block), : len(block)] = block.to(core)
        return scale * (basis @ core @ basis.mT)
    return a * {"huge": 1e25, "tiny": 1e-25, "zero": 0.0}.get(kind, 1.0)


def radius_error(a: torch.Tensor) -> torch.Tensor:
    """What backward errors of n reflections and rotations move the largest eigenvalues by.

    Each has a few roundoffs of the norm of the matrix, and they add up like a random walk.
    """
    found, right = torch.linalg.eig(a)
    left = torch.linalg.inv(right)
    conditions = torch.linalg.vector_norm(left, dim=-1) * torch.linalg.vector_norm(right, dim=-2)
    size = found.abs()
    is_large = size >= _NEAR * size.amax(-1, keepdim=True)
    largest: torch.Tensor = torch.where(is_large, conditions, 0.0).amax(-1)
    norm: torch.Tensor = torch.linalg.vector_norm(a, dim=(-2, -1))
    return largest * norm * (4 + math.sqrt(a.shape[-1]))
