"""Loads that mask lanes off without `other`: Triton leaves those lanes undefined.

A GPU reads zeros there. The interpreter puts poison there, which exposes kernels that rely on
zeros. Only if this may decide the outcome are all calls repeated with zeros, and the loads named.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from kernelbenchx.core.outcome import Broken, Outcome, Reason, Wrong
from kernelbenchx.evaluate.call_results import CallResults
from kernelbenchx.evaluate.call_runner import CallRunner
from kernelbenchx.runner.orders import WorkerReport

_BY_VALUES = frozenset((Reason.RUNTIME_ERROR, Reason.OUT_OF_BOUNDS, Reason.TIMEOUT, Reason.MEMORY))
"""Reasons for which a call may break over a value that it should not have used."""
_MOST_NAMED = 5


def may_decide_outcome(outcome: Outcome, called: CallResults) -> bool:
    """Whether the content of such lanes may be why a submission failed."""
    by_values = isinstance(outcome, Wrong) or (
        isinstance(outcome, Broken) and outcome.reason in _BY_VALUES
    )
    # A call that never ended leaves no trace.
    return by_values and (called.undefined or any(_loads(called.report)))


def with_zeros(calling: CallRunner) -> CallRunner:
    """The same calls, with zeros in such lanes."""
    calls = tuple(replace(planned, zeros=True) for planned in calling.plan.calls)
    return replace(calling, plan=replace(calling.plan, calls=calls))


def describe_loads(report: WorkerReport) -> list[str]:
    """Flags that name the loads."""
    found = sorted({(str(one["kernel"]), int(one["line"])) for one in _loads(report)})
    named = [
        f"masked load without other: kernel {kernel}, line {line} (zeros on a GPU)"[:200]
        for kernel, line in found[:_MOST_NAMED]
    ]
    more = len(found) - _MOST_NAMED
    return [*named, f"masked load without other: {more} more"] if more > 0 else named


def _loads(report: WorkerReport) -> Iterator[dict[str, Any]]:
    for trace in report.traces.values():
        yield from trace.get("undefined_loads", ())
