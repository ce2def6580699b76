import pytest

from kernelbenchx.attacks.attack_header import BrokenAttack
from kernelbenchx.attacks.expected_times import ExpectedTimes, read_times


def _read(passing: tuple[bool, bool] = (False, True), /, **fields: str) -> ExpectedTimes:
    """`passing`: whether it may be correct with and without the checks."""
    named = {key.replace("_", "-"): value for key, value in fields.items()}
    return read_times("t", named, may_pass=passing[0], may_pass_unchecked=passing[1])


def test_what_may_be_correct_says_what_its_times_may_be() -> None:
    times = _read(perf_no_checks="failed|unmeasured", reason="stale|late", aftermath="yes")
    assert times.allowed_performances(checks=True) == frozenset()
    assert times.allowed_performances(checks=False) == {"failed", "unmeasured"}
    assert times.reasons == {"stale", "late"}
    assert times.aftermath and not times.quicker_calls
    assert _read((True, True), perf="failed", perf_no_checks="failed").allowed_performances(
        checks=True
    )


def test_what_may_be_timed_says_that_it_gains_nothing() -> None:
    assert not _read(perf_no_checks="timed", gains="no").quicker_calls
    assert _read(perf_no_checks="timed", gains="calls").quicker_calls


def test_what_may_be_timed_may_have_to_be_named() -> None:
    assert _read(perf_no_checks="timed", gains="no", flag="the clock says").flag == "the clock says"
    assert _read(perf_no_checks="timed", gains="no").flag == ""


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"perf_no_checks": "failed", "perf": "failed"},
        {"perf_no_checks": "fast"},
        {"perf_no_checks": "timed"},
        {"perf_no_checks": "failed", "gains": "no"},
        {"perf_no_checks": "timed", "gains": "much"},
        {"perf_no_checks": "failed", "flag": "the clock says"},
        {"perf_no_checks": "failed", "reason": "bad luck"},
        {"perf_no_checks": "failed", "aftermath": "perhaps"},
    ],
)
def test_anything_else_is_an_error(fields: dict[str, str]) -> None:
    with pytest.raises(BrokenAttack):
        _read(**fields)


def test_what_is_never_correct_says_nothing_about_times() -> None:
    assert _read((False, False)) == ExpectedTimes()
    with pytest.raises(BrokenAttack):
        _read((False, False), perf_no_checks="failed")
