from kernelbenchx.analysis.attempt import Speed
from kernelbenchx.report.grid import cells, gpus
from kernelbenchx.report.site_layout import place
from report_samples import SPEED, attempt

FAST = Speed(speedup=3.0, low=2.9, high=3.1, speed_class="faster")


def test_rates_are_of_the_last_round_and_the_fastest_is_of_any() -> None:
    site = place(
        [
            attempt("1" * 64, round=0, eager=FAST),
            attempt("2" * 64, round=1, eager=SPEED, submission="second"),
        ]
    )
    (cell,) = cells(site)
    assert (cell["attempts"], cell["n"], cell["correct"], cell["faster"]) == (2, 1, 1, 1)
    assert (cell["speedup"], cell["best"]) == (3.0, "1" * 12)
    assert cell["speed_class"] == "faster"


def test_void_attempts_are_counted_in_no_rate() -> None:
    (cell,) = cells(place([attempt(outcome="void", performance="", eager=None)]))
    assert (cell["attempts"], cell["n"], cell["correct"], cell["best"]) == (1, 0, 0, "")


def test_an_interval_within_one_percent_of_one_is_no_lead() -> None:
    near = Speed(speedup=1.004, low=1.002, high=1.006, speed_class="tie")
    (cell,) = cells(place([attempt(eager=near)]))
    assert cell["low"] > 1 and (cell["speed_class"], cell["faster"]) == ("tie", 0)


def test_a_speed_of_a_wrong_kernel_is_no_speed() -> None:
    (cell,) = cells(place([attempt(outcome="wrong", eager=FAST)]))
    assert cell["speedup"] is None


def test_gpus_are_apart_and_the_most_used_comes_first() -> None:
    site = place(
        [
            attempt("1" * 64, gpu="B"),
            attempt("2" * 64, gpu="B", submission="other"),
            attempt("3" * 64, gpu="", device="interpreter"),
        ]
    )
    assert gpus(site) == ["B", "interpreter"]
    assert [(cell["gpu"], cell["n"]) for cell in cells(site)] == [(0, 2), (1, 1)]
