"""Matrix product of two float16 tensors, accumulated in float32 and rounded once to float16.

Ranks as in numpy: 1-D by 1-D is a dot product (a 0-d result); a 1-D first operand is a row and a
1-D second operand a column, and the dimension added for it is dropped from the result; with more
than two dimensions the last two are matrices (..., M, K) by (..., K, N) and the leading ones
broadcast. NaN and infinities follow IEEE arithmetic, and a result beyond the range of float16 is
an infinity. Subnormal results are kept. Neither operand is changed.
"""

import torch

from kernelbenchx.spec import Mutant, any_ranks, case, matmul

HALF = torch.float16


def matmul_fp16(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    return torch.matmul(input, other)


def _other_transposed(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    square = other.dim() > 1 and other.shape[-1] == other.shape[-2]
    return torch.matmul(input, other.mT if square else other)


def _flush_subnormals(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Takes the subnormal results of float16 for zeros."""
    product = torch.matmul(input.float(), other.float()).half()
    return torch.where(product.abs() < 2.0**-14, 0.0, product)


def _clamp_overflow(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    product = torch.matmul(input.float(), other.float())
    return product.clamp(-65504.0, 65504.0).half()


def _first_of_batch(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    first = other[(0,) * (other.dim() - 2)] if other.dim() > 2 and other.numel() else other
    return torch.matmul(input, first).expand(torch.matmul(input, other).shape).contiguous()


def _dimension_kept(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    column = other.unsqueeze(-1) if other.dim() == 1 else other
    return torch.matmul(input, column)


TASK = matmul(
    matmul_fp16,
    ranks=any_ranks(),
    dtypes=(HALF,),
    growth=4.0,
    corners=(
        {"ranks": "batches that broadcast"},
        {"sizes": "square"},
        {"sizes": "square", "ranks": "batch by batch"},
        {"values": "tiny"},
        {"values": "large"},
    ),
    timings=case(sizes=(4096, 4096, 4096), dtype=HALF)
    + case(sizes=(1024, 2048, 1024), dtype=HALF, ranks=((16,), (16,)))
    + case(sizes=(4001, 2011, 3989), dtype=HALF),
    mutants=(
        Mutant("a square second operand is taken transposed", _other_transposed, ("other",)),
        Mutant("subnormal results are flushed to zero", _flush_subnormals),
        Mutant("overflow stops at the largest number", _clamp_overflow),
        Mutant("every batch entry uses the first matrix", _first_of_batch, ("other",)),
        Mutant("a vector keeps the dimension added for it", _dimension_kept, ("other",)),
    ),
    difficulty=2,
)
