"""Honest orders of summation pass Close; narrower operands and accumulators do not."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelbenchx.spec.call import call
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.contract import Evidence, Verdict

HALVES = (torch.float16, torch.bfloat16)


def _sum_scale(x: torch.Tensor) -> torch.Tensor:
    return x.abs().sum(-1) * math.sqrt(x.shape[-1])


def _product_scale(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return a.abs() @ b.abs()


SUM = Close(scale=_sum_scale)
PRODUCT = Close(scale=_product_scale)


def _judge_sum(x: torch.Tensor, got: torch.Tensor) -> Verdict:
    return SUM.judge(Evidence(call(x), ((got,),), (x.double().sum(-1),), (got,)))


def _judge_product(
    a: torch.Tensor, b: torch.Tensor, got: torch.Tensor, close: Close = PRODUCT
) -> Verdict:
    return close.judge(Evidence(call(a, b), ((got,),), (a.double() @ b.double(),), (got,)))


def _sequential(x: torch.Tensor) -> torch.Tensor:
    total = torch.zeros(x.shape[:-1], dtype=x.dtype)
    for column in x.unbind(-1):
        total = total + column
    return total


def _pairwise(x: torch.Tensor) -> torch.Tensor:
    while x.shape[-1] > 1:
        odd = x[..., -1:] if x.shape[-1] % 2 else x[..., :0]
        even = x[..., : x.shape[-1] // 2 * 2]
        x = torch.cat([even[..., ::2] + even[..., 1::2], odd], -1)
    return x[..., 0]


def _blocked(x: torch.Tensor, block: int = 32) -> torch.Tensor:
    return _sequential(torch.stack([_pairwise(part) for part in torch.split(x, block, -1)], -1))


def _draw(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def _tf32(x: torch.Tensor) -> torch.Tensor:
    bits = x.contiguous().view(torch.int32)
    return ((bits + 0x1000) & ~0x1FFF).view(torch.float32)


def _dot(a: torch.Tensor, b: torch.Tensor, accumulator: torch.dtype) -> torch.Tensor:
    """Term by term, every partial sum rounded to the accumulator's dtype."""
    total = torch.zeros(a.shape[0], b.shape[1], dtype=accumulator)
    for k in range(a.shape[1]):
        total = total + (a[:, k, None].float() * b[k].float()).to(accumulator)
    return total


@pytest.mark.parametrize("order", (_sequential, _pairwise, _blocked))
@pytest.mark.parametrize("offset", (0.0, 1.0, 100.0))
def test_float32_sums_pass_in_every_order(order: object, offset: float) -> None:
    x = _draw(64, 1000) + offset
    assert _judge_sum(x, order(x)).ok  # type: ignore[operator]


@pytest.mark.parametrize("offset", (0.0, 1.0, 100.0))
def test_float32_sums_with_a_term_left_out_fail(offset: float) -> None:
    x = _draw(64, 1000) + offset
    assert not _judge_sum(x, _pairwise(x[:, :-1])).ok


@settings(max_examples=40, deadline=None)
@given(order=st.permutations(range(97)), scale=st.sampled_from((1e-6, 1.0, 1e6)))
def test_float32_sums_pass_under_any_permutation(order: list[int], scale: float) -> None:
    x = _draw(3, 97) * scale
    assert _judge_sum(x, _sequential(x[:, order])).ok


@pytest.mark.parametrize("dtype", HALVES)
def test_a_half_sum_accumulated_in_float32_passes_and_in_half_fails(dtype: torch.dtype) -> None:
    x = _draw(32, 1024).to(dtype)
    assert _judge_sum(x, _sequential(x.float()).to(dtype)).ok
    assert not _judge_sum(x, _sequential(x)).ok


@pytest.mark.parametrize("k", (32, 1024))
def test_float32_products_pass_term_by_term_and_in_blocks(k: int) -> None:
    a, b = _draw(17, k), _draw(k, 19, seed=1)
    assert _judge_product(a, b, _dot(a, b, torch.float32)).ok
    assert _judge_product(a, b, a @ b).ok
    blocks = zip(torch.split(a, 32, 1), torch.split(b, 32, 0), strict=True)
    assert _judge_product(a, b, _sequential(torch.stack([x @ y for x, y in blocks], -1))).ok


@pytest.mark.parametrize("k", (32, 1024))
@pytest.mark.parametrize("narrow", (_tf32, lambda x: x.bfloat16().float()), ids=("tf32", "bf16"))
def test_narrow_operands_in_a_float32_product_fail(k: int, narrow: object) -> None:
    a, b = _draw(17, k), _draw(k, 19, seed=1)
    assert not _judge_product(a, b, narrow(a) @ narrow(b)).ok  # type: ignore[operator]


@pytest.mark.parametrize("narrow", (_tf32, lambda x: x.bfloat16().float()), ids=("tf32", "bf16"))
def test_narrow_operands_fail_beside_a_row_a_thousand_times_larger(narrow: object) -> None:
    a, b = _draw(16, 128), _draw(128, 16, seed=1)
    a[5] *= 1000
    right = _dot(a, b, torch.float32)
    assert _judge_product(a, b, right).ok
    narrowed = narrow(a) @ narrow(b)  # type: ignore[operator]
    mixed = torch.where(torch.arange(16)[:, None] == 5, right, narrowed)
    found = _judge_product(a, b, mixed)
    assert not found.ok and found.bad is not None
    assert not bool(found.bad[5].any()) and float(found.bad.float().mean()) > 0.5


def test_tf32_operands_pass_where_the_task_declares_them() -> None:
    a, b = _draw(17, 128), _draw(128, 19, seed=1)
    declared = Close(scale=_product_scale, tf32=True)
    assert _judge_product(a, b, _tf32(a) @ _tf32(b), declared).ok
    assert not _judge_product(a, b, a.bfloat16().float() @ b.bfloat16().float() * 1.01, declared).ok


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("tf32", (False, True))
def test_half_products_accumulated_in_half_fail(dtype: torch.dtype, tf32: bool) -> None:
    """Allowing TF32 for float32 inputs doesn't loosen what 16-bit inputs get."""
    a, b = _draw(17, 1024).to(dtype), _draw(1024, 19, seed=1).to(dtype)
    close = Close(scale=_product_scale, tf32=tf32)
    assert _judge_product(a, b, _dot(a, b, torch.float32).to(dtype), close).ok
    assert not _judge_product(a, b, _dot(a, b, dtype), close).ok


def test_float64_products_are_not_judged_as_float32() -> None:
    a, b = _draw(5, 64).double(), _draw(64, 5, seed=1).double()
    assert _judge_product(a, b, _sequential(a[:, None] * b.T[None])).ok
    assert not _judge_product(a, b, (a.float() @ b.float()).double()).ok


def test_complex_products_pass_in_complex64_and_fail_with_narrow_parts() -> None:
    a = torch.complex(_draw(8, 64), _draw(8, 64, seed=1))
    b = torch.complex(_draw(64, 8, seed=2), _draw(64, 8, seed=3))
    truth = a.to(torch.complex128) @ b.to(torch.complex128)
    narrow = torch.complex(_tf32(a.real), _tf32(a.imag)) @ b
    for got, right in ((a @ b, True), (narrow, False)):
        assert PRODUCT.judge(Evidence(call(a, b), ((got,),), (truth,), (got,))).ok is right
