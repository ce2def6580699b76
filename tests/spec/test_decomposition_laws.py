import math

import pytest
import torch

from kernelbenchx.spec.call import call
from kernelbenchx.spec.contract import Evidence, Verdict
from kernelbenchx.spec.decomposition_laws import (
    Descending,
    Filled,
    Law,
    Matches,
    NonNegative,
    Orthonormal,
    Reconstructs,
    Upper,
)

LAWS: tuple[Law, ...] = (
    Reconstructs(lambda f: f[0], lambda c: c.args[0], 8.0),
    Orthonormal(0),
    Upper(0),
    NonNegative(0),
    Descending(0),
    Matches(0),
)


def _judge(law: Law, value: torch.Tensor, target: torch.Tensor | None = None) -> Verdict:
    aim = value if target is None else target
    kind = torch.complex128 if value.dtype.is_complex else torch.float64
    evidence = Evidence(call(aim), ((value,),), (aim.to(kind),), (value,))
    return law.judge(evidence, (value.to(kind),))


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
@pytest.mark.parametrize("shape", ((0, 0), (2, 3, 0), (1, 1)))
def test_empty_and_tiny_matrices_obey_every_law(law: Law, shape: tuple[int, ...]) -> None:
    assert _judge(law, torch.ones(shape)).ok


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_nan_breaks_every_law(law: Law) -> None:
    value = torch.eye(3)
    value[2, 0] = math.nan
    target = torch.eye(3)
    assert not _judge(law, value, target).ok


def test_reconstruction_is_judged_by_the_norm_of_each_column() -> None:
    target = torch.tensor([[1000.0, 1.0], [1000.0, 1.0]])
    moved = target.clone()
    moved[0, 0] += 1e-4
    law = Reconstructs(lambda f: f[0], lambda c: c.args[0], 8.0)
    assert _judge(law, moved, target).ok
    moved = target.clone()
    moved[0, 1] += 1e-4
    found = _judge(law, moved, target)
    assert not found.ok and found.index == (0, 1)


def test_rows_matrices_and_gram_norms_are_local_too() -> None:
    target = torch.tensor([[1000.0, 0.0], [0.0, 1.0]])
    moved = target.clone()
    moved[1, 0] += 1e-4
    accepted = {
        by: _judge(Reconstructs(lambda f: f[0], lambda c: c.args[0], 8.0, by=by), moved, target).ok  # type: ignore[arg-type]
        for by in ("columns", "rows", "matrix", "gram")
    }
    assert accepted == {"columns": True, "rows": False, "matrix": True, "gram": False}


def test_each_matrix_of_a_batch_has_its_own_norm() -> None:
    target = torch.stack([1000 * torch.eye(3), torch.eye(3)])
    moved = target.clone()
    moved[1, 0, 1] += 1e-4
    law = Reconstructs(lambda f: f[0], lambda c: c.args[0], 8.0, by="matrix")
    assert not _judge(law, moved, target).ok


def test_growth_may_depend_on_the_call() -> None:
    target = torch.eye(4)
    moved = target + 2.0**-22 * torch.eye(4)
    strict = Reconstructs(lambda f: f[0], lambda c: c.args[0], lambda c: len(c.args) / 1.0)
    loose = Reconstructs(lambda f: f[0], lambda c: c.args[0], lambda c: 4.0 * len(c.args[0]))
    assert not _judge(strict, moved, target).ok
    assert _judge(loose, moved, target).ok


@pytest.mark.parametrize("by", ("columns", "rows"))
def test_orthonormal_vectors_pass_and_nearly_orthonormal_ones_fail(by: str) -> None:
    q = torch.linalg.qr(torch.randn(40, 20, generator=torch.Generator().manual_seed(0)))[0]
    q = q if by == "columns" else q.mT
    law = Orthonormal(0, by)  # type: ignore[arg-type]
    assert _judge(law, q).ok
    assert _judge(law, -q).ok
    leaning = q.clone()
    leaning[0, 0] += 1e-3
    assert not _judge(law, leaning).ok
    assert not _judge(law, q * (1 + 1e-4)).ok


def test_orthonormal_takes_the_conjugate() -> None:
    q = torch.linalg.qr(torch.randn(6, 6, dtype=torch.complex64))[0]
    assert _judge(Orthonormal(0), q * 1j).ok
    assert not _judge(Orthonormal(0), q * (1 + 1e-3)).ok


def test_upper_is_exact() -> None:
    r = torch.triu(torch.ones(3, 4))
    assert _judge(Upper(0), r).ok
    assert _judge(Upper(0), torch.triu(torch.ones(4, 2))).ok
    r[2, 0] = 1e-30
    found = _judge(Upper(0), r)
    assert not found.ok and found.index == (2, 0)
    assert not _judge(Upper(0), torch.tril(torch.ones(3, 3))).ok


def test_nonnegative_and_descending() -> None:
    values = torch.tensor([[3.0, 2.0, 2.0, 0.0], [1.0, 1.0, -0.0, 0.0]])
    assert _judge(NonNegative(0), values).ok and _judge(Descending(0), values).ok
    assert not _judge(NonNegative(0), values - 1).ok
    assert not _judge(Descending(0), values.flip(-1)).ok


def test_matches_is_relative_to_the_largest_value_of_the_matrix() -> None:
    truth = torch.tensor([[1000.0, 1e-5], [1.0, 0.5]])
    moved = truth.clone()
    moved[0, 1] += 1e-4
    assert _judge(Matches(0), moved, truth).ok
    moved = truth.clone()
    moved[1, 1] += 1e-4
    assert not _judge(Matches(0), moved, truth).ok
    assert not _judge(Matches(0, growth=0.0), moved, truth).ok


def test_filled_wants_what_was_written_to_be_what_was_returned() -> None:
    q, r = torch.eye(2), torch.ones(2, 2)
    right = Evidence(call(q), ((q, r, q.clone(), r.clone()),), (), (q, r, q, r))
    assert Filled(2).judge(right, ()).ok
    assert Filled(2).judge(Evidence(call(q), ((q, r),), (), (q, r)), ()).ok
    stale = Evidence(call(q), ((q, r, q.clone(), torch.zeros(2, 2)),), (), (q, r, q, r))
    found = Filled(2).judge(stale, ())
    assert not found.ok and found.output == 3
