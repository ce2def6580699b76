"""Wrong answers to what products promise: each is wrong where it should be, and only there."""

from collections.abc import Callable

import torch

from kernelbenchx.spec import case, matmul
from kernelbenchx.spec.mutants import Mutant


def plus(
    input: torch.Tensor, a: torch.Tensor, b: torch.Tensor, beta: float = 1, alpha: float = 1
) -> torch.Tensor:
    return torch.addmm(input, a, b, beta=beta, alpha=alpha)


TIMED = case(sizes=(64, 64, 64), dtype=torch.float32)
TASK = matmul(plus, timings=TIMED, mutants=(), difficulty=1)
MUTANTS = {
    one.mutant.name: one.mutant.answer for one in TASK.promises if isinstance(one.mutant, Mutant)
}
DRAWN = torch.Generator().manual_seed(0)
A, B = (torch.randn(size, generator=DRAWN) for size in ((5, 300), (300, 7)))
ROW = torch.arange(7.0)


def _wrong(name: str) -> Callable[..., torch.Tensor]:
    return MUTANTS[name]


def _differ(one: torch.Tensor, other: torch.Tensor) -> bool:
    return not torch.allclose(one, other, rtol=1e-4, atol=1e-4, equal_nan=True)


def test_a_factor_of_zero_keeps_nan_only_for_the_mutant() -> None:
    nan = torch.full((5, 7), torch.nan)
    mutant = _wrong("beta = 0 multiplies instead of ignoring")
    assert mutant(nan, A, B, beta=0).isnan().all()
    assert not plus(nan, A, B, beta=0).isnan().any()
    assert not _differ(mutant(ROW, A, B, beta=2), plus(ROW, A, B, beta=2))


def test_a_row_is_added_to_columns_and_a_full_term_is_not() -> None:
    mutant = _wrong("one row added to columns")
    assert torch.equal(mutant(ROW, A, B), plus(ROW[:5].unsqueeze(1), A, B))
    assert torch.equal(mutant(ROW.expand(5, 7), A, B), plus(ROW, A, B))


def test_sums_are_narrow_in_16_bits_only() -> None:
    mutant = _wrong("sums kept in 16 bits")
    assert not _differ(mutant(ROW, A, B), plus(ROW, A, B))
    a, b, row = A.half(), B.half(), ROW.half()
    true = a.double() @ b.double() + row.double()
    assert (mutant(row, a, b) - true).abs().max() > (plus(row, a, b) - true).abs().max()


def test_tf32_is_of_float32_only() -> None:
    mutant = _wrong("float32 operands rounded to TF32")
    assert _differ(mutant(ROW, A, B), plus(ROW, A, B))
    a, b, row = A.half(), B.half(), ROW.half()
    assert torch.allclose(mutant(row, a, b), plus(row, a, b), rtol=2e-3)


def test_every_tensor_has_its_own_sentence_about_strides() -> None:
    texts = {one.text: one.axis for one in TASK.promises if "strides" in one.text}
    assert texts == {
        "`input` may have any strides.": "bias_layout",
        "`a` may have any strides.": "layout",
        "`b` may have any strides.": "second_layout",
    }
