"""The times of one kernel: every case by device and call time, and its share of the peak."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from kernelbenchx.cli.evaluation_table import speed_text
from kernelbenchx.cli.number_format import factor, format_count, interval, microseconds
from kernelbenchx.core.headline import score_of
from kernelbenchx.core.performance import (
    Clock,
    Efficiency,
    Failed,
    KernelShare,
    Observation,
    Performance,
    Timed,
    TimedCase,
    Unmeasured,
)

if TYPE_CHECKING:
    from rich.console import Console

OVERHEAD_BOUND = "overhead-bound: the GPU works for less than 20 us a call, or waits for the host"
"""The rule of `measure.case_timing`, which is not loaded for a word: torch would come with it."""


def describe_timing(timed: Timed) -> Iterator[tuple[str, str]]:
    """The speedup, how it was obtained, and the GPU with the state that it reported."""
    for one in timed.speedups:
        mean = f"geometric mean of {format_count(len(timed.cases), 'case')} by device time"
        yield (
            f"over {one.baseline}",
            (f"{interval(one.speedup, one.low, one.high)} {one.speed_class.value}, {mean}"),
        )
    score = score_of(timed)
    if score is not None:
        filling = any(not case.overhead_bound for case in timed.cases)
        of = "the cases that fill the GPU" if filling else "all cases: none fills the GPU"
        yield "score", f"{factor(score)}, geometric mean of {of}"
    because = f": {timed.not_replayed}" if timed.not_replayed else ""
    yield "tier", f"{timed.tier.label}{because}"
    card = timed.gpu
    rates = [f"{name} {factor(value)}" for name, value in card.tflops.items()]
    peaks = [f"{factor(card.bandwidth_gb_per_s)} GB/s"] if card.bandwidth_gb_per_s else []
    peaks += [f"TFLOPS {', '.join(rates)}"] if rates else []
    yield "GPU", f"{card.name}; measured peaks {'; '.join(peaks)}" if peaks else card.name
    yield from _around(timed)
    for flag in timed.flags:
        yield "flag", flag


def describe_missing_times(performance: Performance | None) -> Iterator[tuple[str, str]]:
    """What is known of a kernel that was to be timed and has no times."""
    if isinstance(performance, Failed | Unmeasured) and performance.before is not None:
        yield from _around(performance)
        if performance.cases:
            yield "measured", f"{format_count(len(performance.cases), 'case')}; not used"


def _around(performance: Performance) -> Iterator[tuple[str, str]]:
    for name, at in (("before", performance.before), ("after", performance.after)):
        yield name, ", ".join(_describe_gpu_state(at) if at else ()) or "nothing observed"


def _describe_gpu_state(at: Observation) -> Iterator[str]:
    for value, unit in (
        (at.sm_mhz, "MHz"),
        (at.memory_mhz, "MHz memory"),
        (at.temperature_c, "°C"),
        (at.power_w, "W"),
    ):
        if value is not None:
            yield f"{value:.0f} {unit}"
    if at.throttled:
        yield f"throttled by {', '.join(at.throttled)}"
    if at.other_processes:
        yield f"{format_count(at.other_processes, 'other process', 'other processes')} on the GPU"


def print_times(timed: Timed, shown: "Console") -> None:
    """A block of lines per case."""
    for case in timed.cases:
        name = Text.assemble("\n", (case.case, "bold"))
        if case.overhead_bound:
            name.append(f"  {OVERHEAD_BOUND}", "yellow")
        shown.print(name)
        shown.print(_make_comparison_table(case))
        for line in _describe_efficiency(case):
            shown.print(Text(line))


def _make_comparison_table(case: TimedCase) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("clock", min_width=6)
    table.add_column("this, us", justify="right", min_width=8)
    table.add_column("baseline, us", justify="right")
    table.add_column("speedup", min_width=22, no_wrap=True)
    table.add_column("class", min_width=9)
    table.add_column("tier")
    for one in case.comparisons:
        table.add_row(
            one.clock.value,
            microseconds(one.candidate_us),
            f"{one.baseline} {microseconds(one.baseline_us)}",
            interval(one.speedup, one.low, one.high),
            speed_text(one.speed_class),
            one.tier.label,
        )
    return table


def _describe_efficiency(case: TimedCase) -> Iterator[str]:
    at = case.efficiency
    rates = f"{factor(at.gb_per_s)} GB/s, {factor(at.tflops)} TFLOPS"
    yield f"{rates}; {format_count(case.judged_outputs, 'timed output')} judged"
    device = next((one for one in case.comparisons if one.clock is Clock.DEVICE), None)
    if at.roofline_us > 0 and device is not None:
        far = factor(device.candidate_us / at.roofline_us)
        bound = f"{far} times the roofline time of {microseconds(at.roofline_us)} us"
        yield f"{bound}, which no kernel can beat"
    yield from _shares(at)
    if case.kernel_shares:
        yield f"time by kernel: {', '.join(_part(one) for one in case.kernel_shares)}"
    if case.flags:
        yield f"flags: {'; '.join(case.flags)}"


def _part(one: KernelShare) -> str:
    often = f" in {one.launches} launches" if one.launches > 1 else ""
    return f"{one.name} {one.share:.0%}{often}"


def _shares(at: Efficiency) -> Iterator[str]:
    measured = f"IOU {factor(at.iou)}, MFU {factor(at.mfu)}, Score {factor(at.score)}"
    yield f"{measured} of the peaks measured here"
    sheet = (("IOU", at.iou_spec), ("MFU", at.mfu_spec), ("Score", at.score_spec))
    known = [f"{name} {factor(value)}" for name, value in sheet if value is not None]
    if known:
        yield f"{', '.join(known)} of the data sheet's"
