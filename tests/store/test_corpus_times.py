import pytest

from kernelbenchx.core.performance import Timed, Unmeasured
from kernelbenchx.store.corpus import CorpusState
from kernelbenchx.store.corpus_times import BANDWIDTH, TFLOPS, times_of


def _state(**changes: object) -> CorpusState:
    known: dict[str, object] = {"call_ok": True, "exe_ok": True, "perf_ok": True}
    known |= {"dtype": "float16", "runtime_ms": 0.5, "gbs": 100.0, "tflops": 50.0, "speedup": 0.8}
    return CorpusState(**(known | changes))  # type: ignore[arg-type]


def test_a_total_becomes_one_case_without_an_interval() -> None:
    found = times_of(_state(), "card")
    assert isinstance(found, Timed)
    (case,), (over,) = found.cases, found.speedups
    assert (over.speedup, over.low, over.high) == (0.8, 0.8, 0.8)
    (compared,) = case.comparisons
    assert (compared.candidate_us, compared.baseline_us) == pytest.approx((500.0, 400.0))
    assert case.efficiency.iou == pytest.approx(100.0 / BANDWIDTH)
    assert case.efficiency.mfu == pytest.approx(50.0 / TFLOPS["float16"])
    assert case.efficiency.score == case.efficiency.mfu
    assert "no interval" in found.flags[0]


@pytest.mark.parametrize("missing", ["runtime_ms", "speedup"])
def test_without_a_time_it_is_unmeasured(missing: str) -> None:
    assert isinstance(times_of(_state(**{missing: None}), "card"), Unmeasured)
