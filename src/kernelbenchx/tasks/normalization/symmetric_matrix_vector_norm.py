"""Norm of a symmetric matrix applied to a vector: ||alpha * A @ x + beta * x||_p, 0-d.

A is (n, n) and symmetric (both triangles are given, and equal), x is (n,), n is at least 1; alpha
and beta are numbers. With y = alpha * A @ x + beta * x, the norm is (sum |y_i|^p)^(1/p) for p >= 1,
the largest |y_i| for p = inf and the smallest for p = -inf. Powers of |y_i| neither overflow nor
vanish in float32. The result has the dtype of A and x (float32, float16 or bfloat16); 16-bit
tensors are computed in float32, and the norm is rounded once. A NaN among the y_i
gives NaN, for every p; infinities follow IEEE arithmetic, also where alpha or beta is 0.
The published formula adds beta times a vector that no argument gives, and the published reference
computes (1 + beta) * alpha * A @ x; here it is beta * x, as the published source text has it.
"""

import math

import torch

from kernelbenchx.spec import Close, Mutant, argument, case, ignore_argument
from kernelbenchx.spec.families.axes import trivial
from kernelbenchx.spec.families.norm_error import norm_error
from kernelbenchx.spec.families.symmetric_matrix_vector import symmetric_and_vector


def symmetric_matrix_vector_norm(
    A: torch.Tensor, x: torch.Tensor, alpha: float, beta: float, p: float = 2.0
) -> torch.Tensor:
    wide = torch.promote_types(A.dtype, torch.float32)
    y = alpha * torch.mv(A.to(wide), x.to(wide)) + beta * x.to(wide)
    norm: torch.Tensor = torch.linalg.vector_norm(y, p)
    return norm.to(A.dtype)


def eager(A, x, alpha, beta, p=2.0):
    return torch.linalg.vector_norm(torch.addmv(x, A, x, beta=beta, alpha=alpha), p)


def rounding(A, x, alpha, beta, p=2.0):
    """Sums of n products drift by sqrt(n) at most."""
    y = alpha * torch.mv(A, x) + beta * x
    size = abs(alpha) * torch.mv(A.abs(), x.abs()) * (2 + math.sqrt(len(x)) / 4)
    wrong = size + 2 * abs(beta) * x.abs()
    return norm_error(y, torch.where(wrong.isfinite(), wrong, 0.0), p)


def _otherwise(vector):
    """The norm of another vector."""

    def answer(A, x, alpha, beta, p=2.0):
        y = vector(A.float(), x.float(), alpha, beta)
        return torch.linalg.vector_norm(y, p).to(A.dtype)

    return answer


_WRONG = {
    "beta scales the product": lambda A, x, alpha, beta: (1 + beta) * alpha * (A @ x),
    "beta is added": lambda A, x, alpha, beta: alpha * (A @ x) + beta,
    "only one triangle": lambda A, x, alpha, beta: alpha * (A.tril() @ x) + beta * x,
    "no diagonal": lambda A, x, alpha, beta: alpha * ((A - A.diag().diag()) @ x) + beta * x,
    "the first 256 columns": lambda A, x, alpha, beta: alpha * (A[:, :256] @ x[:256]) + beta * x,
    "alpha for all": lambda A, x, alpha, beta: alpha * (A @ x + beta * x),
}
_COVERS = (("beta", "I-REF"), ("beta", "x"), ("A",), ("A",), ("A",), ("alpha",))


def _nan_lost(A, x, alpha, beta, p=2.0):
    y = alpha * (A.float() @ x.float()) + beta * x.float()
    return torch.linalg.vector_norm(y[~y.isnan()], p).to(A.dtype)


TASK = symmetric_and_vector(
    symmetric_matrix_vector_norm,
    arguments=(
        trivial(argument("alpha", two=2.0, half=0.5, negative=-1.25, zero=0.0), "zero"),
        argument("beta", three=3.0, negative=-7.5, zero=0.0, small=0.1),
        argument("p", not_given=None, one=1.0, three=3.0, inf=math.inf, least=-math.inf, b=1.5),
    ),
    corners=(
        {"n": "many", "p": "one"},
        {"n": "one"},
        {"layout": "transposed", "p": "three"},
        {"layout": "strided", "x_layout": "strided", "p": "inf", "beta": "negative"},
        {"values": "nan", "p": "inf"},
        {"values": "inf", "alpha": "zero"},
        {"p": "least", "beta": "negative", "n": "few"},
    ),
    eager=eager,
    contract=Close(scale=rounding),
    timings=case(n=1024, dtype=torch.float32, alpha=0.5, beta=3.0)
    + case(n=8192, dtype=torch.float32, alpha=2.0, beta=-7.5, p=1.0)
    + case(n=10007, dtype=torch.float32, alpha=2.0, beta=0.1),
    mutants=(
        *(
            Mutant(name, _otherwise(vector), covers)
            for (name, vector), covers in zip(_WRONG.items(), _COVERS, strict=True)
        ),
        Mutant("NaN lost", _nan_lost),
        ignore_argument(symmetric_matrix_vector_norm, "p"),
    ),
    difficulty=2,
    audit=("I-REF",),
)
