"""QR and SVD: every valid answer passes whatever its signs; near-misses fail."""

import pytest
import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.contract import Contract, Evidence
from kernelbenchx.spec.properties import (
    Descending,
    Matches,
    NonNegative,
    Orthonormal,
    Property,
    Reconstructs,
    Upper,
)

SHAPES = ((1, 1), (2, 2), (5, 3), (3, 5), (64, 32), (4, 7, 6))


def _has_q(asked: Call) -> bool:
    return asked.kwargs.get("mode") != "r"


QR = Property(
    Reconstructs(lambda f: f[0] @ f[1], lambda c: c.args[0], 64.0, when=_has_q),
    Reconstructs(
        lambda f: f[1].mH @ f[1],
        lambda c: c.args[0].mH @ c.args[0],
        128.0,
        by="gram",
        when=lambda c: not _has_q(c),
    ),
    Orthonormal(0, when=_has_q),
    Upper(1),
)
SVD = Property(
    Reconstructs(
        lambda f: f[0] @ torch.diag_embed(f[1]).to(f[0].dtype) @ f[2],
        lambda c: c.args[0],
        64.0,
        by="matrix",
    ),
    Orthonormal(0),
    Orthonormal(2, "rows"),
    NonNegative(1),
    Descending(1),
    Matches(1),
)


def _draw(shape: tuple[int, ...], dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(1), dtype=dtype)


def _qr(a: torch.Tensor, *factors: torch.Tensor, mode: str = "reduced") -> bool:
    native = tuple(torch.linalg.qr(a, mode=mode))
    return QR.judge(Evidence(call(a, mode=mode), (factors,), (), native)).ok


def _svd(a: torch.Tensor, *factors: torch.Tensor) -> bool:
    exact = torch.linalg.svd(
        a.to(torch.complex128 if a.is_complex() else torch.float64), full_matrices=False
    )
    native = tuple(torch.linalg.svd(a, full_matrices=False))
    return SVD.judge(Evidence(call(a), (factors,), tuple(exact), native)).ok


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", (torch.float32, torch.float64, torch.complex64))
def test_qr_passes_whatever_the_signs(shape: tuple[int, ...], dtype: torch.dtype) -> None:
    a = _draw(shape, dtype)
    q, r = torch.linalg.qr(a)
    signs = torch.sign(torch.diagonal(r.real if r.is_complex() else r, dim1=-2, dim2=-1))
    k = min(shape[-2:])
    positive = signs[..., :k].to(dtype)
    assert _qr(a, q, r)
    assert _qr(a, q * positive.unsqueeze(-2), r * positive.unsqueeze(-1))


@pytest.mark.parametrize("mode", ("complete", "r"))
@pytest.mark.parametrize("shape", ((5, 3), (3, 5)))
def test_qr_passes_in_its_other_modes(mode: str, shape: tuple[int, ...]) -> None:
    a = _draw(shape)
    q, r = torch.linalg.qr(a, mode=mode)
    assert _qr(a, q, r, mode=mode)
    assert _qr(a, -q, -r, mode=mode)
    assert not _qr(a, q, r * 1.001, mode=mode)


def test_qr_by_own_householder_and_by_gram_schmidt_twice_pass() -> None:
    a = _draw((30, 12))
    q = a.clone()
    for _ in range(2):
        for j in range(q.shape[1]):
            for i in range(j):
                q[:, j] -= (q[:, i] @ q[:, j]) * q[:, i]
            q[:, j] /= q[:, j].norm()
    assert _qr(a, q, torch.triu(q.T @ a))


def test_qr_near_misses_fail() -> None:
    a = _draw((12, 8))
    q, r = torch.linalg.qr(a)
    leaning = q.clone()
    leaning[:, 1] += 1e-3 * q[:, 0]
    swapped = q[:, [1, 0, *range(2, 8)]]
    unmasked = r + torch.tril(torch.full_like(r, 1e-7), -1)
    one_sign = q.clone()
    one_sign[:, 3] *= -1
    assert not _qr(a, leaning, torch.triu(torch.linalg.solve(leaning.T @ leaning, leaning.T @ a)))
    assert not _qr(a, swapped, r)
    assert not _qr(a, q, unmasked)
    assert not _qr(a, one_sign, r)
    assert not _qr(a, q, r.T.contiguous())
    assert not _qr(a, q * float("nan"), r)
    assert not _qr(a, torch.zeros_like(q), torch.zeros_like(r))


def test_qr_of_columns_of_very_different_size_is_judged_column_by_column() -> None:
    a = _draw((12, 4)) * torch.tensor([1.0, 1e-4, 1e4, 1.0])
    q, r = torch.linalg.qr(a)
    assert _qr(a, q, r)
    wrong = r.clone()
    wrong[0, 1] += 1e-6  # small beside the third column, one per cent of its own
    assert not _qr(a, q, wrong)


def test_float64_is_judged_at_float64() -> None:
    a = _draw((9, 6), torch.float64)
    q, r = torch.linalg.qr(a)
    assert _qr(a, q, r)
    assert not _qr(a, q.float().double(), r.float().double())


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", (torch.float32, torch.float64, torch.complex64))
def test_svd_passes_whatever_the_signs(shape: tuple[int, ...], dtype: torch.dtype) -> None:
    a = _draw(shape, dtype)
    u, s, vh = torch.linalg.svd(a, full_matrices=False)
    assert _svd(a, u, s, vh)
    flip = torch.ones(s.shape[-1], dtype=dtype)
    flip[::2] = torch.tensor(1j if dtype.is_complex else -1, dtype=dtype)
    assert _svd(a, u * flip, s, vh * flip.conj()[:, None])


def test_svd_of_the_transpose_and_of_repeated_values_passes() -> None:
    a = _draw((9, 5))
    v, s, uh = torch.linalg.svd(a.T, full_matrices=False)
    assert _svd(a, uh.T, s, v.T)
    turn = torch.linalg.qr(_draw((4, 4)))[0]
    assert _svd(torch.eye(4), turn, torch.ones(4), turn.T.contiguous())


def test_svd_near_misses_fail() -> None:
    a = _draw((9, 5))
    u, s, vh = torch.linalg.svd(a, full_matrices=False)
    order = torch.tensor([1, 0, 2, 3, 4])
    lone = u.clone()
    lone[:, 2] *= -1
    assert not _svd(a, lone, s, vh)
    assert not _svd(a, u[:, order], s[order], vh[order])
    assert not _svd(a, -u, -s, vh)
    assert not _svd(a, u * 2, s / 2, vh)
    assert not _svd(a, u, s * 1.001, vh)
    assert not _svd(a, a @ vh.T / s.flip(0), s, vh)
    assert not _svd(a, u, s, vh * float("nan"))


def test_it_is_a_contract_that_asks_for_truth_only_where_values_count() -> None:
    assert isinstance(QR, Contract) and QR.calls == 1
    assert not QR.needs_truth and SVD.needs_truth
