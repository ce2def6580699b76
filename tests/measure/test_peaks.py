"""Small work on the CPU under a pretended timer; tests/gpu has the real one."""

import pytest
import torch

from kernelbenchx.measure.peaks import RATES, PeakPlan, Work, measure_peak_rates

# A CPU without bfloat16 says so once.
pytestmark = pytest.mark.filterwarnings("ignore:mkldnn_matmul failed")

CPU = torch.device("cpu")
SMALL = PeakPlan(buffers_bytes=(1 << 12, 1 << 14), sides=(16, 32), patience_s=1e9)


class Steady:
    """Does the work once and says that it took so long."""

    def __init__(self, seconds: float = 1e-6) -> None:
        self.took = seconds
        self.asked = 0

    def seconds(self, work: Work) -> float:
        work()
        self.asked += 1
        return self.took


class NoProducts(Steady):
    """A card whose torch has none of these products."""

    def seconds(self, work: Work) -> float:
        if torch.backends.cuda.matmul.fp32_precision != "none":
            raise RuntimeError("not supported on this card")
        return super().seconds(work)


def test_peaks_are_the_largest_amount_over_its_time() -> None:
    rates = measure_peak_rates(CPU, Steady(), SMALL)
    assert rates["bandwidth"] == pytest.approx(3 * (1 << 14) / 1e-6 / 1e9)
    assert rates["fp32"] == pytest.approx(2 * 32**3 / 1e-6 / 1e12)
    assert {"fp64", "fp32", "tf32", "fp16", "bf16"} <= {*rates} <= {"bandwidth", *RATES}


def test_a_product_that_the_card_lacks_has_no_rate() -> None:
    assert {*measure_peak_rates(CPU, NoProducts(), SMALL)} == {"bandwidth"}


def test_a_larger_product_is_left_out_where_it_would_take_too_long() -> None:
    patient, hurried = Steady(), Steady()
    measure_peak_rates(CPU, patient, SMALL)
    measure_peak_rates(CPU, hurried, PeakPlan(SMALL.buffers_bytes, SMALL.sides, patience_s=7e-6))
    assert hurried.asked < patient.asked


def test_the_precision_of_the_process_is_as_it_was() -> None:
    before = torch.backends.cuda.matmul.fp32_precision
    measure_peak_rates(CPU, Steady(), SMALL)
    assert torch.backends.cuda.matmul.fp32_precision == before


def test_tf32_is_on_only_while_its_own_rate_is_measured() -> None:
    class Noting(Steady):
        seen: set[str]

        def seconds(self, work: Work) -> float:
            self.seen.add(torch.backends.cuda.matmul.fp32_precision)
            return super().seconds(work)

    timer = Noting()
    timer.seen = set()
    measure_peak_rates(CPU, timer, SMALL)
    assert timer.seen == {"none", "ieee", "tf32"}
