"""Measures which share of a call's time each kernel takes, by replaying its launches one by one."""

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import median

from kernelbenchx.core.performance import KernelShare
from kernelbenchx.measure.runner_client import RunnerClient, RunnerFailed
from kernelbenchx.replay.schema import Copy, Fill, LaunchStep, ReplayPlan
from kernelbenchx.replay.validation import printable

MOST_PARTS = 16
"""Most kernels in a record; the smaller ones are left out."""
_RUNS = 3


def measure_kernel_shares(
    replays: Sequence[RunnerClient], plan: ReplayPlan | None, fill: Callable[[RunnerClient], None]
) -> tuple[KernelShare, ...]:
    """For a plan with several steps; `fill` restores arguments that a call may have overwritten."""
    if plan is None or len(plan.steps) < 2:
        return ()
    runs = []
    try:
        for _ in range(_RUNS):
            fill(replays[0])
            runs.append(replays[0].read_step_times())
    except RunnerFailed:
        return ()  # what was measured before still counts
    if any(len(run) != len(plan.steps) for run in runs):
        return ()
    times = [median(each) for each in zip(*runs, strict=True)]
    return _by_name([_name(step) for step in plan.steps], times)


def _name(step: LaunchStep | Copy | Fill) -> str:
    if isinstance(step, LaunchStep):
        return printable(step.kernel)
    return "copy" if isinstance(step, Copy) else "fill"


def _by_name(names: list[str], times: list[float]) -> tuple[KernelShare, ...]:
    launches, taken, total = Counter(names), dict.fromkeys(names, 0.0), sum(times)
    for name, time in zip(names, times, strict=True):
        taken[name] += time
    if total <= 0:
        return ()
    parts = [
        KernelShare(name=name, launches=launches[name], share=taken[name] / total) for name in taken
    ]
    return tuple(sorted(parts, key=lambda one: -one.share)[:MOST_PARTS])
