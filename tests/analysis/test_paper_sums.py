"""Sums over sizes, against sums over the raw rows of the published times."""

import json
from pathlib import Path

import pytest

import kernelbenchx.catalog
from attempts_made import made
from kernelbenchx.analysis.paper_sums import (
    Sums,
    has_published_rows,
    is_abnormal,
    stored_gpu_for,
    sums_of,
)
from kernelbenchx.catalog.published_times import ALL_SIZES
from paper_samples import at_published_sizes, case_time

RAW = json.loads((Path(kernelbenchx.catalog.__file__).parent / "published_times.json").read_bytes())
RELU = RAW["activation/relu"]["ns"]


def _sums(*args: object, **words: object) -> Sums:
    found = sums_of(at_published_sizes(*args, **words))  # type: ignore[arg-type]
    assert found is not None
    return found


def test_sums_are_over_all_sizes_in_milliseconds() -> None:
    one = _sums("activation/relu", 10.0, 25.0)
    assert (one.rows, one.of, one.missing) == (16, 16, ())
    assert (one.candidate_ms, one.eager_ms, one.speedup) == pytest.approx((0.16, 0.4, 2.5))
    stored = sum(RELU["5090"]) / 1e6
    assert one.stored_ms == pytest.approx(stored)
    assert one.stored_speedup == one.same_speedup == pytest.approx(stored / 0.16)


def test_a_quotient_of_sums_is_no_mean_of_quotients() -> None:
    given = made(
        "activation/relu",
        1.0,
        case_times=(case_time("a", 1.0, 4.0), case_time("b", 99.0, 46.0)),
    )
    one = sums_of(given)
    assert one is not None and one.speedup == pytest.approx(0.5)
    assert one.stored_ms is one.stored_speedup is one.same_speedup is None, "other sizes"


def test_rows_that_fail_are_counted_and_named_and_only_the_published_rule_gains_by_them() -> None:
    one = _sums("activation/relu", 10.0, 25.0, without=2)
    assert (one.rows, one.of) == (14, 16)
    assert one.missing == (
        "shape=(67108864,),dtype=float32",
        "shape=(134217728,),dtype=float32",
    )
    assert one.speedup == pytest.approx(2.5), "both sides lack them"
    every, same = sum(RELU["5090"]) / 1e6, sum(RELU["5090"][:14]) / 1e6
    assert one.stored_speedup == pytest.approx(every / 0.14)
    assert one.same_speedup == pytest.approx(same / 0.14)
    assert every > 3 * same, "the largest sizes decide"


def test_a_row_that_is_published_twice_counts_twice() -> None:
    one = _sums("activation/combined_activation", 10.0, 20.0, without=1)
    assert (one.rows, one.of) == (10, 12)
    assert one.candidate_ms == pytest.approx(0.1)
    raw = RAW["activation/combined_activation"]["ns"]["5090"]
    assert one.same_stored_ms == pytest.approx(sum(raw[:10]) / 1e6)


def test_a_row_that_the_gpu_of_the_stored_times_lacks_is_left_out_on_both_sides() -> None:
    task = "fusion/fused_layer_norm_relu_linear"
    one = sums_of(at_published_sizes(task, 10.0, 20.0), "4090")
    assert one is not None and (one.rows, one.of) == (10, 10)
    raw = RAW[task]["ns"]["4090"]
    assert len(raw) == 9
    assert one.stored_speedup == pytest.approx(sum(raw) / 1e6 / 0.1)
    assert one.same_speedup == pytest.approx(sum(raw) / 1e6 / 0.09)


def test_a_total_over_all_sizes_is_as_good_as_its_rows() -> None:
    total = made("activation/relu", 2.0, case_times=(case_time(ALL_SIZES, 160.0, 400.0),))
    one = sums_of(total)
    assert one is not None and (one.rows, one.of) == (16, 16)
    assert one.candidate_ms == pytest.approx(0.16)
    assert one.stored_speedup == one.same_speedup == pytest.approx(sum(RELU["5090"]) / 160_000)
    task = "fusion/fused_layer_norm_relu_linear"
    assert has_published_rows(total) and not has_published_rows(made("activation/relu", 2.0))
    other = sums_of(made(task, 2.0, case_times=total.case_times), "4090")
    assert other is not None and other.same_speedup is None, "which rows it has is not known"


def test_shares_of_the_peak_are_of_all_bytes_in_all_of_the_time() -> None:
    given = made(
        "activation/relu",
        1.0,
        case_times=(
            case_time("a", 10.0, 1.0, iou=0.1, mfu=0.3),
            case_time("b", 90.0, 1.0, iou=0.9, mfu=0.0),
        ),
    )
    one = sums_of(given)
    assert one is not None
    # Bytes are share times time: 1 and 81 of 100 microseconds at the peak.
    assert (one.iou, one.mfu, one.score) == pytest.approx((0.82, 0.03, 0.82))


def test_an_attempt_without_times_has_no_sums() -> None:
    assert sums_of(made("activation/relu")) is None


def test_what_the_published_console_leaves_out() -> None:
    assert is_abnormal(10_000.1, 5.0) and is_abnormal(1.0, 0.0099)
    assert not is_abnormal(10_000.0, 5.0) and not is_abnormal(1.0, 0.01)


def test_stored_times_are_of_the_gpu_of_the_runs_where_they_are_known() -> None:
    assert stored_gpu_for(["NVIDIA GeForce RTX 4090, published sizes"]) == "4090"
    assert stored_gpu_for(["NVIDIA A100-PCIE-40GB"]) == "a100"
    assert stored_gpu_for(["NVIDIA H200", "NVIDIA A100-SXM4-80GB"]) == "5090", "none is theirs"
    assert stored_gpu_for(["NVIDIA H20", "NVIDIA GeForce RTX 4090"]) == "5090", "two are"
    assert stored_gpu_for(["NVIDIA L20"]) == "5090", "a copy is never chosen"
    assert stored_gpu_for([]) == "5090"
