import io

import msgspec
import pytest
from rich.console import Console

from kernelbenchx.cli.kernel_times import (
    OVERHEAD_BOUND,
    describe_missing_times,
    describe_timing,
    print_times,
)
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Failed, KernelShare, Observation, Tier, Timed, Unmeasured
from kernelbenchx.measure.case_timing import OVERHEAD_US
from samples import LARGE, SMALL, timed


def _printed(times: Timed, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width, highlight=False)
    print_times(times, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_every_case_has_both_clocks_over_every_baseline() -> None:
    said = _printed(timed(1.25, baselines=("eager", "compile")))
    assert LARGE in said and SMALL in said
    lines = [" ".join(line.split()) for line in said.splitlines()]
    for clock, tier in (("device", "replay"), ("call", "host-timed")):
        for baseline in ("eager", "compile"):
            row = f"{clock} 100.0 {baseline} 125.0 1.25x [1.23, 1.27] faster {tier}"
            assert lines.count(row) == 2


def test_a_case_says_how_far_it_is_from_the_limit() -> None:
    said = _printed(timed(cases=(LARGE,)))
    for words in (
        "3600 GB/s, 0.45 TFLOPS; 8 timed outputs judged\n",
        "1.25 times the roofline time of 80.00 us, which no kernel can beat\n",
        "IOU 0.80, MFU 0.010, Score 0.80 of the peaks measured here",
        "IOU 0.75, MFU 0.009, Score 0.75 of the data sheet's",
    ):
        assert words in said
    assert "overhead-bound" not in said and "flags" not in said


def test_a_card_without_a_data_sheet_has_no_share_of_it() -> None:
    one = timed(cases=(LARGE,))
    bare = msgspec.structs.replace(
        one.cases[0].efficiency, iou_spec=None, mfu_spec=None, score_spec=None, roofline_us=0.0
    )
    case = msgspec.structs.replace(one.cases[0], efficiency=bare)
    said = _printed(msgspec.structs.replace(one, cases=(case,)))
    assert "data sheet" not in said and "roofline" not in said


def test_a_case_of_several_kernels_says_where_its_time_goes() -> None:
    assert "by kernel" not in _printed(timed(cases=(LARGE,)))
    one = timed(cases=(LARGE,))
    parts = (
        KernelShare(name="_sums", launches=3, share=0.715),
        KernelShare(name="_map", launches=1, share=0.285),
    )
    case = msgspec.structs.replace(one.cases[0], kernel_shares=parts)
    said = _printed(msgspec.structs.replace(one, cases=(case,)))
    assert "time by kernel: _sums 72% in 3 launches, _map 28%" in said


def test_a_small_case_is_labelled() -> None:
    said = _printed(timed(cases=(SMALL,)), width=120)
    assert f"{SMALL}  {OVERHEAD_BOUND}" in said
    assert "flags: card throttled" in said


def test_what_overhead_bound_means_is_the_rule_that_was_applied() -> None:
    assert f"less than {OVERHEAD_US:.0f} us" in OVERHEAD_BOUND


def test_columns_of_all_cases_stand_below_each_other() -> None:
    """Also where an interval has a digit more."""
    whole = timed(1.25, baselines=("eager", "compile"))
    near = msgspec.structs.replace(
        whole.cases[0].comparisons[0], speedup=0.9953, low=0.9901, high=1.0005
    )
    first = msgspec.structs.replace(
        whole.cases[0], comparisons=(near, *whole.cases[0].comparisons[1:])
    )
    said = _printed(msgspec.structs.replace(whole, cases=(first, *whole.cases[1:])))
    assert "0.9953x [0.9901, 1.0005]" in said
    rows = [line for line in said.splitlines() if "1.25x [" in line]
    assert len(rows) == 7
    assert len({line.index("faster") for line in rows}) == 1


@pytest.mark.parametrize("width", [80, 100, 160])
def test_it_fits(width: int) -> None:
    assert max(map(len, _printed(timed(12345.0), width).splitlines())) <= width


def test_the_card_says_what_it_was_doing() -> None:
    said = dict(describe_timing(timed(1.25, baselines=("eager", "compile"))))
    assert said["over eager"].startswith("1.25x [1.23, 1.27] faster, geometric mean of 2 cases")
    assert "over compile" in said
    assert said["tier"] == "replay"
    assert said["GPU"] == "NVIDIA H200; measured peaks 4500 GB/s; TFLOPS fp32 50.0, bf16 800"
    assert said["before"] == "1980 MHz, 3201 MHz memory, 41 °C, 310 W"
    assert said["after"].endswith("throttled by power cap, 1 other process on the GPU")


def test_a_host_timed_kernel_says_why_and_a_silent_card_that_it_was_silent() -> None:
    one = msgspec.structs.replace(timed(tier=Tier.HOST_TIMED), before=Observation())
    said = dict(describe_timing(one))
    assert said["tier"] == "host-timed: its grid depends on a value"
    assert said["before"] == "nothing observed"


def test_the_score_names_the_cases_that_it_is_of() -> None:
    whole = timed()
    small = [msgspec.structs.replace(one, overhead_bound=True) for one in whole.cases]
    none_fills = msgspec.structs.replace(whole, cases=tuple(small))
    assert dict(describe_timing(whole))["score"].endswith("of the cases that fill the GPU")
    assert dict(describe_timing(none_fills))["score"].endswith("all cases: none fills the GPU")


def test_of_missing_times_it_is_shown_what_was_seen() -> None:
    busy = Observation(sm_mhz=1980, other_processes=1)
    void = Unmeasured(
        reason=Reason.DISTURBED, detail="d", cases=timed().cases, before=Observation(), after=busy
    )
    assert dict(describe_missing_times(void)) == {
        "before": "nothing observed",
        "after": "1980 MHz, 1 other process on the GPU",
        "measured": "2 cases; not used",
    }
    failed = Failed(case="c", reason=Reason.LATE, detail="d", before=busy, after=busy)
    assert "measured" not in dict(describe_missing_times(failed))
    assert not dict(describe_missing_times(Failed(case="c", reason=Reason.LATE, detail="d")))
    assert not dict(describe_missing_times(timed())) and not dict(describe_missing_times(None))
