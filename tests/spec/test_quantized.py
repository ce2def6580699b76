"""The written scheme passes in any faithful form; anything else fails."""

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.spec.call import call
from kernelbenchx.spec.contract import Contract, Evidence
from kernelbenchx.spec.quantized import Quantized, Scheme, product_slack, symmetric


def _w8a8(x: torch.Tensor, w: torch.Tensor) -> Scheme:
    cx, cw = symmetric(x, 1, 127, -128), symmetric(w, 0, 127, -128)
    truth = (cx.q.double() @ cw.q.double()) * cx.scale * cw.scale
    return Scheme(truth, product_slack(cx, cw), truth.abs())


def _w4a16(x: torch.Tensor, w: torch.Tensor) -> Scheme:
    codes = symmetric(w.T, 0, 7, -8)
    rounded = codes.values.half().double()
    return Scheme(x.double() @ rounded, product_slack(x, codes), x.double().abs() @ rounded.abs())


W8A8 = Quantized(scheme=_w8a8)
W4A16 = Quantized(scheme=_w4a16)


def _ok(contract: Quantized, x: torch.Tensor, w: torch.Tensor, got: torch.Tensor) -> bool:
    return contract.judge(Evidence(call(x, w), ((got,),), (), (got,))).ok


def _draw(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


X, W = _draw(33, 96), _draw(96, 40, seed=1)


def _int8(
    x: torch.Tensor, dim: int, *, rounding: object = torch.round, top: int = 127
) -> tuple[torch.Tensor, torch.Tensor]:
    scale = x.abs().amax(dim, keepdim=True) / 127
    return rounding(x / scale).clamp(-128, top), scale  # type: ignore[operator]


def _product(
    x: tuple[torch.Tensor, torch.Tensor], w: tuple[torch.Tensor, torch.Tensor]
) -> torch.Tensor:
    return (x[0] @ w[0]) * x[1] * w[1]


def test_the_faithful_scheme_passes_in_another_order_too() -> None:
    x, w = _int8(X, 1), _int8(W, 0)
    assert _ok(W8A8, X, W, _product(x, w))
    assert _ok(W8A8, X, W, (x[0] @ w[0]) * (x[1] * w[1]))
    assert _ok(W8A8, X, W, ((x[0] @ w[0]) * w[1]) * x[1])


def test_the_reciprocal_of_the_scale_passes() -> None:
    inverse = 127 / X.abs().amax(1, keepdim=True)
    codes = torch.round(X * inverse)
    assert _ok(W8A8, X, W, _product((codes, 1 / inverse), _int8(W, 0)))


def _with_ties(scale: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Every row has that scale and a tie at 40.5; the codes, ties to even."""
    x = X.clone()
    x[:, 0], x[:, 1] = 127.0, 40.5
    return scale * x, torch.round(x)


@pytest.mark.parametrize(("scale", "right"), ((1.0, False), (0.25, False), (3.0, True)))
def test_a_tie_goes_to_even_where_dividing_is_exact_and_either_way_elsewhere(
    scale: float, right: bool
) -> None:
    x, codes = _with_ties(scale)
    step = torch.full((33, 1), scale)
    assert _ok(W8A8, x, W, _product((codes, step), _int8(W, 0)))
    away = codes.clone()
    away[:, 1] = 41.0
    assert _ok(W8A8, x, W, _product((away, step), _int8(W, 0))) is right
    beyond = codes.clone()
    beyond[:, 2] += 1
    assert not _ok(W8A8, x, W, _product((beyond, step), _int8(W, 0)))


@pytest.mark.parametrize("name", ("matmul_w8a8", "linear_w4a16"))
def test_the_tasks_plant_ties_in_scales_that_are_powers_of_two(name: str) -> None:
    task = catalog.load(f"quantization/{name}")
    ordinary = (one for one in task.cases(0) if one.options["sizes"] == "ordinary")
    tied = [one for one in ordinary if one.options["values"] == "ties" and one.corner]
    assert tied
    for case in tied:
        w = task.draw(case, 3).args[1]
        codes = symmetric(w, 0, 127, -127) if name == "matmul_w8a8" else symmetric(w.mT, 0, 7, -8)
        rows = w if name == "matmul_w8a8" else w.mT
        ratio = rows.double() / codes.scale.where(codes.scale > 0, torch.ones(()).double())
        assert float((ratio - ratio.floor() == 0.5).double().mean()) > 0.2
        assert not bool(codes.ambiguous.any())


def test_the_unquantised_product_fails() -> None:
    assert not _ok(W8A8, X, W, X @ W)
    assert not _ok(W8A8, X, W, (X.half() @ W.half()).float())


def test_another_granularity_fails() -> None:
    whole = X.abs().amax() / 127
    assert not _ok(W8A8, X, W, _product((torch.round(X / whole), whole), _int8(W, 0)))
    assert not _ok(W8A8, X, W, _product(_int8(X, 1), (torch.round(W / whole), whole)))
    parts = zip(torch.split(X, 32, 1), torch.split(W, 32, 0), strict=True)
    grouped = torch.stack([_product(_int8(x, 1), _int8(w, 0)) for x, w in parts])
    assert not _ok(W8A8, X, W, grouped.sum(0))


def test_truncation_and_another_clamp_fail() -> None:
    assert not _ok(W8A8, X, W, _product(_int8(X, 1, rounding=torch.trunc), _int8(W, 0)))
    assert not _ok(W8A8, X, W, _product(_int8(X, 1, top=126), _int8(W, 0)))
    scale = X.abs().amax(1, keepdim=True) / 128
    assert not _ok(
        W8A8, X, W, _product((torch.round(X / scale).clamp(-128, 127), scale), _int8(W, 0))
    )


def test_zero_rows_give_zero_and_nan_fails() -> None:
    x = X.clone()
    x[3] = 0
    right = _w8a8(x, W).truth.float()
    assert _ok(W8A8, x, W, right) and float(right[3].abs().sum()) == 0
    right[3] = float("nan")
    assert not _ok(W8A8, x, W, right)


def test_a_quantised_weight_passes_only_as_written() -> None:
    x, w = _draw(9, 64).half(), _draw(24, 64, seed=1).half()
    scale = w.float().abs().amax(1, keepdim=True) / 7
    q = torch.round(w.float() / scale).clamp(-8, 7)
    faithful = x.float() @ (q * scale).half().float().T
    assert _ok(W4A16, x, w, faithful.half())
    assert not _ok(W4A16, x, w, (x.float() @ w.float().T).half())
    whole = w.float().abs().amax() / 7
    assert not _ok(W4A16, x, w, (x.float() @ (torch.round(w.float() / whole) * whole).T).half())
    truncated = torch.trunc(w.float() / scale) * scale
    assert not _ok(W4A16, x, w, (x.float() @ truncated.T).half())


def test_other_shapes_are_wrong() -> None:
    assert not _ok(W8A8, X, W, torch.zeros(3))


def test_it_is_a_contract_that_computes_its_own_truth() -> None:
    assert isinstance(W8A8, Contract) and W8A8.calls == 1 and not W8A8.needs_truth


@pytest.mark.parametrize(("steps", "right"), [(2, True), (-2, True), (32, False)])
def test_the_product_of_the_catalogue_allows_for_scales_by_tritons_division(
    steps: int, right: bool
) -> None:
    """Both off in the same direction, with the exact codes: what is left is the epilogue."""
    contract = catalog.load("quantization/matmul_w8a8").contract
    assert isinstance(contract, Quantized)
    x, w = symmetric(X, 1, 127, -127), symmetric(W, 0, 127, -127)
    sx, sw = ((one.scale.float().view(torch.int32) + steps).view(torch.float32) for one in (x, w))
    assert _ok(contract, X, W, (x.q.double() @ w.q.double()).float() * sx * sw) is right
