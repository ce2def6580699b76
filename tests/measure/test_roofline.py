import msgspec
import pytest
import torch
from torch._subclasses import FakeTensorMode

from kernelbenchx import catalog
from kernelbenchx.core.performance import Gpu
from kernelbenchx.measure.roofline import (
    BANDWIDTH_SLACK,
    FLOPS_SLACK,
    compute_efficiency,
    explain_impossible,
    limit_us,
    rate_of,
)
from kernelbenchx.measure.spec_sheets import Sheet
from kernelbenchx.spec import Cost

SHEET = Sheet("card", 1000.0, {"fp64": 10.0, "fp32": 20.0, "tf32": 40.0, "fp16": 80.0}, 40)
CARD = Gpu(
    name="card",
    bandwidth_gb_per_s=800.0,
    tflops={"fp32": 16.0, "tf32": 32.0, "fp16": 60.0},
    l2_bytes=1_000_000,
)
MOVING = Cost(flops=1_000_000, bytes=81_000_000)
COMPUTING = Cost(flops=80_000_000_000, bytes=1_000_000)


@pytest.mark.parametrize(
    ("name", "rates"),
    [
        ("matrix_multiply/addmm", ["fp16", "tf32x3", "bf16"]),
        ("matrix_multiply/matmul_fp16", ["fp16"] * 3),
        ("convolution/conv2d", ["tf32", "fp16", "bf16"]),
        ("quantization/matmul_w8a8", ["int8"] * 3),
        ("quantization/linear_w4a16", ["fp16"] * 3),
        ("fusion/attention", ["tf32x3", "fp16", "bf16"]),
        ("fusion/fused_bmm_dropout_gelu", ["tf32x3", "bf16", "fp16"]),
        ("activation/gelu_bf16", ["fp32"] * 3),
        ("math/add", ["fp32"] * 3),
        ("math/fftn", ["tf32x3"] * 3),
        ("linear_algebra/svd", ["fp32"] * 3),
    ],
)
def test_operations_count_against_the_rate_they_run_at(name: str, rates: list[str]) -> None:
    task = catalog.load(name)
    with FakeTensorMode():
        calls = [task.draw(case, 1) for case in task.timings]
    assert [rate_of(name, task, call) for call in calls] == rates


def test_float64_counts_against_its_own_rate() -> None:
    for name in ("math/softmax", "linear_algebra/qr", "random/rand"):
        task = catalog.load(name)
        wide = next(case for case in task.cases(0) if torch.float64 in case.params.values())
        assert rate_of(name, task, task.draw(wide, 1)) == "fp64"


def test_iou_mfu_and_score_are_shares_of_measured_and_of_stated_peaks() -> None:
    found = compute_efficiency(MOVING, 200e-6, "fp32", CARD, SHEET)
    assert found.gb_per_s == pytest.approx(405)
    assert found.tflops == pytest.approx(0.005)
    assert found.iou == pytest.approx(405 / 800)
    assert found.mfu == pytest.approx(0.005 / 16)
    assert found.score == found.iou
    assert found.iou_spec == pytest.approx(0.405)
    assert found.mfu_spec == pytest.approx(0.005 / 20)
    assert found.score_spec == found.iou_spec
    assert found.roofline_us == limit_us(MOVING, "fp32", CARD, SHEET)


def test_the_score_of_a_product_is_its_mfu() -> None:
    found = compute_efficiency(COMPUTING, 2e-3, "fp16", CARD, SHEET)
    assert found.score == found.mfu == pytest.approx(40 / 60)
    assert found.score_spec == found.mfu_spec == pytest.approx(40 / 80)


def test_a_card_without_a_sheet_has_no_stated_shares() -> None:
    found = compute_efficiency(MOVING, 200e-6, "fp32", CARD, None)
    assert (found.iou_spec, found.mfu_spec, found.score_spec) == (None, None, None)


def test_a_rate_that_nobody_knows_leaves_the_bandwidth() -> None:
    found = compute_efficiency(MOVING, 200e-6, "int8", CARD, SHEET)
    assert (found.mfu, found.mfu_spec) == (0.0, None)
    assert (found.score, found.score_spec) == (found.iou, found.iou_spec)


def test_what_was_written_may_rest_in_the_cache_once_for_all_sets() -> None:
    once = limit_us(MOVING, "fp32", CARD, SHEET)
    assert once == pytest.approx(80e6 / (BANDWIDTH_SLACK * 1000e9) * 1e6)
    eight = limit_us(MOVING, "fp32", CARD, SHEET, sets=8)
    assert eight == pytest.approx((81e6 - 1e6 / 8) / (BANDWIDTH_SLACK * 1000e9) * 1e6)
    assert limit_us(Cost(flops=0, bytes=900_000), "fp32", CARD, SHEET) == 0


def test_the_faster_of_measured_and_stated_bandwidth_bounds() -> None:
    fast = Gpu(name="card", bandwidth_gb_per_s=1030.0, l2_bytes=1_000_000)
    slower = limit_us(MOVING, "fp32", CARD, SHEET)
    assert limit_us(MOVING, "fp32", fast, SHEET) == pytest.approx(slower / 1.03)
    assert limit_us(MOVING, "fp32", CARD, None) > slower


def test_float32_products_may_be_carried_by_tensor_cores() -> None:
    expected = COMPUTING.flops / (FLOPS_SLACK * 40e12) * 1e6
    assert limit_us(COMPUTING, "fp32", CARD, SHEET) == pytest.approx(expected)
    assert limit_us(COMPUTING, "fp16", CARD, SHEET) == pytest.approx(expected / 2)
    assert limit_us(COMPUTING, "tf32", CARD, SHEET) == pytest.approx(expected / 2)


def test_a_card_of_which_nothing_is_known_has_no_limit() -> None:
    assert limit_us(MOVING, "fp16", Gpu(name="?"), None) == 0
    assert explain_impossible(1e-12, 0.0) == ""


def test_below_the_limit_is_impossible_and_at_it_is_not() -> None:
    limit = limit_us(MOVING, "fp32", CARD, SHEET)
    assert explain_impossible(limit * 1e-6 * 1.001, limit) == ""
    why = explain_impossible(limit * 1e-6 * 0.9, limit)
    assert "70.59 us" in why
    assert "78.43 us" in why


@pytest.mark.parametrize("name", catalog.names())
def test_limits_grow_with_the_sets_and_never_beyond_all_bytes(name: str) -> None:
    task = catalog.load(name)
    for case in task.timings:
        cost = task.cost(**case.params)
        limits = [limit_us(cost, "fp32", CARD, SHEET, sets=sets) for sets in (1, 8, 1_000_000)]
        assert limits == sorted(limits)


def test_a_float32_product_counts_against_three_tf32_products_where_they_are_faster() -> None:
    """Plain float32 would give a kernel that uses them a Score above 1."""
    product = Cost(flops=2 * 4096**3, bytes=3 * 4 * 4096**2)
    seconds = product.flops / 80e12
    hopper = msgspec.structs.replace(CARD, tflops={"fp32": 51.0, "tf32": 406.0})
    assert compute_efficiency(product, seconds, "tf32x3", hopper, None).mfu == pytest.approx(
        80 / (406 / 3)
    )
    slow = msgspec.structs.replace(CARD, tflops={"fp32": 51.0, "tf32": 60.0})
    assert compute_efficiency(product, seconds, "tf32x3", slow, None).mfu == pytest.approx(80 / 51)
    assert compute_efficiency(product, seconds, "fp32", hopper, None).mfu == pytest.approx(80 / 51)
