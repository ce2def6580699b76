"""beta * input + alpha * (mat1 @ mat2), with mat1 (n, m), mat2 (m, p) and a result of (n, p).

`input` is 0-d, (p,), (1, p), (n, 1) or (n, p). All tensors have one dtype, and so has the result.
"""

import torch

from kernelbenchx.spec import Mutant, case, ignore_argument, matmul


def addmm(
    input: torch.Tensor,
    mat1: torch.Tensor,
    mat2: torch.Tensor,
    beta: float = 1,
    alpha: float = 1,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    if out is None:
        return torch.addmm(input, mat1, mat2, beta=beta, alpha=alpha)
    return torch.addmm(input, mat1, mat2, beta=beta, alpha=alpha, out=out)


def _alpha_on_all(input, mat1, mat2, beta=1, alpha=1, out=None):
    return addmm(input, mat1, mat2, alpha * beta, alpha, out)


def _beta_on_all(input, mat1, mat2, beta=1, alpha=1, out=None):
    return addmm(input, mat1, mat2, beta, alpha * beta, out)


def _half_twice(input, mat1, mat2, beta=1, alpha=1, out=None):
    """Rounds the float16 product before the rest is added."""
    if mat1.dtype != torch.float16:
        return addmm(input, mat1, mat2, beta, alpha, out)
    product = (mat1.float() @ mat2.float()).half()
    result = (alpha * product).half() + (beta * input if beta else torch.zeros_like(product))
    return result if out is None else out.copy_(result)


TASK = matmul(
    addmm,
    timings=case(sizes=(4096, 4096, 4096), dtype=torch.float16, beta=0.5, alpha=2.0)
    + case(sizes=(2048, 2048, 2048), dtype=torch.float32, beta=0.5)
    + case(sizes=(4001, 2011, 3989), dtype=torch.bfloat16, bias=(3989,)),
    mutants=(
        ignore_argument(addmm, "beta"),
        ignore_argument(addmm, "alpha"),
        Mutant("alpha scales the added term as well", _alpha_on_all, ("alpha",)),
        Mutant("beta scales the product as well", _beta_on_all, ("beta",)),
        Mutant("float16 is rounded twice", _half_twice, ("W-PDT", "input")),
    ),
    difficulty=4,
    audit=("W-PDT",),
)
