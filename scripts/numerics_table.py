"""Prints the last table of docs/explanation/numerics.md: what contracts accept and reject."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from kernelbenchx.spec import (
    Call,
    Close,
    Contract,
    Evidence,
    Exact,
    ExactContiguous,
    Orthonormal,
    Picked,
    Property,
    Quantized,
    Reconstructs,
    Scheme,
    Upper,
    call,
    product_slack,
    symmetric,
)


@dataclass(frozen=True)
class Row:
    """One answer and what became of it."""

    contract: str
    answer: str
    right: bool
    multiple: float

    def __str__(self) -> str:
        verdict = "right" if self.right else "wrong"
        return f"| {self.contract} | {self.answer} | {verdict} | {self.multiple:.2g} |"


def judged(
    name: str, contract: Contract, asked: Call, truth: Tensor, answers: dict[str, Tensor]
) -> Iterator[Row]:
    """A row for each answer."""
    for label, got in answers.items():
        found = contract.judge(Evidence(asked, ((got,),), (truth,), (got,)))
        yield Row(name, label, found.ok, found.worst)


def draw(*shape: int, seed: int = 0) -> Tensor:
    """Normal numbers."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def tf32(x: Tensor) -> Tensor:
    """Rounded to ten explicit bits."""
    return ((x.contiguous().view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32)


def sequential(terms: Tensor) -> Tensor:
    """One after the other, each partial sum rounded."""
    total = torch.zeros_like(terms[..., 0])
    for term in terms.unbind(-1):
        total = total + term
    return total


def pairwise(terms: Tensor) -> Tensor:
    """Neighbours first; the number of terms is a power of two."""
    while terms.shape[-1] > 1:
        terms = terms[..., ::2] + terms[..., 1::2]
    return terms[..., 0]


def blocked(terms: Tensor) -> Tensor:
    """Blocks of 32 pairwise, then the blocks in order."""
    return sequential(torch.stack([pairwise(part) for part in torch.split(terms, 32, -1)], -1))


def terms_of(a: Tensor, b: Tensor) -> Tensor:
    """Every product that a matrix product adds up."""
    return a[:, None, :] * b.T[None]


def close_rows() -> Iterator[Row]:
    """Sums, products, GELU and small values."""
    x = draw(64, 1024)
    sums = Close(scale=lambda x: math.sqrt(x.shape[-1]) * x.abs().sum(-1))
    orders = {"sequential": sequential(x), "pairwise": pairwise(x), "blocks of 32": blocked(x)}
    wrong = {"last term left out": pairwise(x) - x[:, -1]}
    yield from judged("float32 sum of 1,024", sums, call(x), x.double().sum(-1), orders | wrong)
    a, b = draw(16, 1024), draw(1024, 16, seed=1)
    a[5] *= 1000
    product = Close(scale=lambda a, b: a.abs() @ b.abs())
    right = sequential(terms_of(a, b))
    beside = sequential(terms_of(tf32(a), tf32(b)))
    beside[5] = right[5]
    answers = {
        "float32, term by term": right,
        "TF32 operands": sequential(terms_of(tf32(a), tf32(b))),
        "bf16 operands": sequential(terms_of(a.bfloat16().float(), b.bfloat16().float())),
        "TF32, except in a row 1,000 times larger": beside,
    }
    yield from judged(
        "float32 product, k = 1,024", product, call(a, b), a.double() @ b.double(), answers
    )
    for dtype in (torch.float16, torch.bfloat16):
        yield from half_rows(dtype, product)
    yield from gelu_rows()
    x = torch.tensor([1e6, 1e-6, 1.0])
    zeroed = {"as computed": x, "values below 1e-3 zeroed": torch.where(x < 1e-3, 0.0, x)}
    yield from judged("1e6 beside 1e-6", Close(), call(x), x.double(), zeroed)


def half_rows(dtype: torch.dtype, product: Close) -> Iterator[Row]:
    """The accumulator of a 16-bit product."""
    a, b = draw(16, 1024).to(dtype), draw(1024, 16, seed=1).to(dtype)
    terms = terms_of(a.float(), b.float())
    name = str(dtype).removeprefix("torch.")
    answers = {
        "accumulated in float32": sequential(terms).to(dtype),
        f"in {name}": sequential(terms.to(dtype)),
    }
    yield from judged(
        f"{name} product, k = 1,024", product, call(a, b), a.double() @ b.double(), answers
    )


def gelu_rows() -> Iterator[Row]:
    """The two formulas of GELU."""
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        x = torch.linspace(-4, 4, 2001).to(dtype)
        single = x.float()
        answers = {
            "0.5 x (1 + erf(x / sqrt 2)) in float32": 0.5
            * single
            * (1 + torch.erf(single * math.sqrt(0.5))),
            "the tanh formula": torch.nn.functional.gelu(single, approximate="tanh"),
        }
        rounded = {label: value.to(dtype) for label, value in answers.items()}
        name = f"{str(dtype).removeprefix('torch.')} GELU"
        contract = Close(scale=lambda x: x.abs())
        yield from judged(name, contract, call(x), torch.nn.functional.gelu(x.double()), rounded)


def exact_rows() -> Iterator[Row]:
    """Bits, signs of zeros, and where the elements lie."""
    x, turned = torch.tensor([1.5, -0.0, math.nan]), draw(5, 7).T
    unsigned = {"0.0 in place of -0.0": x + 0.0}
    answers: tuple[tuple[str, Contract, Tensor, dict[str, Tensor]], ...] = (
        (
            "copy of 1.5, -0.0, NaN",
            Exact(),
            x,
            {"the same": x.clone(), **unsigned, "one ulp above 1.5": torch.nextafter(x, x + 1)},
        ),
        ("the same, signs of zeros count", Exact(signed_zero=True), x, unsigned),
        (
            "transposed copy",
            ExactContiguous(),
            turned,
            {"contiguous": turned.contiguous(), "a view of the input": turned},
        ),
    )
    for name, contract, right, given in answers:
        for label, got in given.items():
            found = contract.judge(Evidence(call(right), ((got,),), (), (right,)))
            yield Row(name, label, found.ok, found.worst)


def picked_rows() -> Iterator[Row]:
    """Values and the indices where they stand."""
    x = torch.tensor([[3.0, 1.0, 1.0 + 2.0**-23, 2.0]])
    asked, smallest = call(x, 1), torch.tensor([1.0])
    contract = Picked(close=Close(), scores=lambda input, *_: input)
    truth = tuple(torch.min(x.double(), 1))
    answers = {
        "1.0, index 1": (smallest, 1),
        "1.0, index 2": (smallest, 2),
        "1.0, index 3": (smallest, 3),
        "1.0, index -3": (smallest, -3),
        "1.1, index 1": (smallest + 0.1, 1),
    }
    for label, (value, place) in answers.items():
        outputs = (value, torch.tensor([place]))
        found = contract.judge(Evidence(asked, (outputs,), truth, tuple(torch.min(x, 1))))
        yield Row("minimum of 3, 1, 1 + 2^-23, 2", label, found.ok, found.worst)


def qr_rows() -> Iterator[Row]:
    """Signs are free, angles are not."""
    contract = Property(
        Reconstructs(lambda f: f[0] @ f[1], lambda c: c.args[0], 64.0), Orthonormal(0), Upper(1)
    )
    a = draw(24, 12)
    q, r = torch.linalg.qr(a)
    sign = torch.sign(torch.diagonal(r))
    leaning = q.clone()
    leaning[:, 1] += 1e-3 * q[:, 0]
    answers = {
        "Householder": (q, r),
        "positive diagonal": (q * sign, r * sign[:, None]),
        "one column off by 1e-3": (leaning, r),
        "two columns of Q swapped": (q[:, [1, 0, *range(2, 12)]], r),
        "1e-7 below the diagonal": (q, r + torch.tril(torch.full_like(r, 1e-7), -1)),
    }
    for label, factors in answers.items():
        found = contract.judge(Evidence(call(a), (factors,), (), (q, r)))
        yield Row("QR of 24 x 12", label, found.ok, found.worst)


def scheme(x: Tensor, w: Tensor) -> Scheme:
    """Rows of x and columns of w in eight bits."""
    cx, cw = symmetric(x, 1, 127, -128), symmetric(w, 0, 127, -128)
    truth = (cx.q.double() @ cw.q.double()) * cx.scale * cw.scale
    return Scheme(truth, product_slack(cx, cw), truth.abs())


def quantized_rows() -> Iterator[Row]:
    """The scheme as written, and near it."""
    x, w = draw(32, 128), draw(128, 32, seed=1)
    sx, sw = x.abs().amax(1, keepdim=True) / 127, w.abs().amax(0, keepdim=True) / 127
    qx, qw, whole = torch.round(x / sx), torch.round(w / sw), x.abs().amax() / 127
    answers = {
        "as written": (qx @ qw) * sx * sw,
        "times the reciprocal, scales first": (torch.round(x * (1 / sx)) @ qw) * (sx * sw),
        "not quantised": x @ w,
        "one scale for all of x": (torch.round(x / whole) @ qw) * whole * sw,
        "truncated": (torch.trunc(x / sx) @ qw) * sx * sw,
        "clamped at 126": (qx.clamp(-126, 126) @ qw) * sx * sw,
    }
    yield from judged("int8 product, k = 128", Quantized(scheme=scheme), call(x, w), x, answers)
    yield from tie_rows(w, qw, sw)


def tie_rows(w: Tensor, qw: Tensor, sw: Tensor) -> Iterator[Row]:
    """Half of the codes on an exact tie."""
    halves = torch.randint(-253, 254, (32, 128), generator=torch.Generator().manual_seed(2)) / 2
    halves[:, 0] = 127.0
    away = halves.sign() * (halves.abs() + 0.5).floor()
    for scale in (0.25, 3.0):
        codes = {"ties to even": torch.round(halves), "ties away from zero": away}
        answers = {label: (q @ qw) * scale * sw for label, q in codes.items()}
        name, x = f"int8 product, exact ties, scale {scale:g}", scale * halves
        yield from judged(name, Quantized(scheme=scheme), call(x, w), x, answers)


def rows() -> Iterator[Row]:
    """Everything in the table."""
    for part in (close_rows, exact_rows, picked_rows, qr_rows, quantized_rows):
        yield from part()


def main() -> None:
    """Print the table."""
    print("| what | answer | verdict | error in budgets |\n|---|---|---|---|")
    for row in rows():
        print(row)


if __name__ == "__main__":
    main()
