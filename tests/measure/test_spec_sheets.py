import pytest

from kernelbenchx.measure.peaks import RATES
from kernelbenchx.measure.spec_sheets import _SHEETS, sheet_of

PUBLISHED = {
    "NVIDIA GeForce RTX 4090": 1008,
    "NVIDIA GeForce RTX 5090": 1792,
    "NVIDIA A100-PCIE-40GB": 1555,
    "NVIDIA H20": 4000,
    "NVIDIA H800 PCIe": 2039,
    "NVIDIA L20": 864,
}
"""The cards of the published timings, and the bandwidth that their scores were made with."""


@pytest.mark.parametrize(("name", "bandwidth"), PUBLISHED.items())
def test_every_published_card_has_its_sheet(name: str, bandwidth: float) -> None:
    sheet = sheet_of(name)
    assert sheet is not None
    assert sheet.bandwidth_gb_per_s == bandwidth


def test_the_published_scores_were_made_with_this_rate() -> None:
    sheet = sheet_of("NVIDIA GeForce RTX 5090")
    assert sheet is not None
    assert sheet.tflops["fp16"] == 209.5


@pytest.mark.parametrize(
    "name",
    [
        "NVIDIA GeForce RTX 4090 D",
        "NVIDIA GeForce RTX 4090 Laptop GPU",
        "NVIDIA A100-SXM4-40GB MIG 1g.5gb",
        "NVIDIA H20-3e",
        "H200",
        "",
    ],
)
def test_a_card_that_only_looks_alike_has_none(name: str) -> None:
    assert sheet_of(name) is None


def test_spaces_and_case_do_not_matter() -> None:
    assert sheet_of(" nvidia  H200 ") is sheet_of("NVIDIA H200") is not None


def test_a_rate_that_a_gpu_does_not_have_is_not_on_its_sheet() -> None:
    sheet = sheet_of("Tesla T4")
    assert sheet is not None
    assert {*RATES} - {*sheet.tflops} == {"tf32", "bf16", "fp8"}
    assert sheet.tflops["int8"] == 2 * sheet.tflops["fp16"] == 130


_WITH_TF32 = [sheet for _, sheet in _SHEETS if "tf32" in sheet.tflops]


@pytest.mark.parametrize("sheet", _WITH_TF32, ids=lambda sheet: sheet.title)
def test_rates_are_dense_and_in_proportion(sheet) -> None:  # type: ignore[no-untyped-def]
    rates = sheet.tflops
    assert {*rates} <= {*RATES}
    assert {*RATES} - {*rates} <= {"fp8"}
    assert rates["tf32"] >= rates["fp32"] >= rates["fp64"]
    # A figure with sparsity among dense ones would break one of these.
    assert rates["fp16"] == rates["bf16"] == pytest.approx(2 * rates["tf32"], rel=0.02)
    assert rates["int8"] / rates["fp16"] == pytest.approx(2, rel=0.02) or rates["int8"] / rates[
        "fp16"
    ] == pytest.approx(4, rel=0.02)
    assert rates.get("fp8", rates["int8"]) <= rates["int8"]
