"""Compiles what a submission launches for a GPU that you don't have, without running it."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from kernelbenchx.catalog.facts import facts
from kernelbenchx.checks.checker_process import check_bounded
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate import stages
from kernelbenchx.evaluate.calls import Slot, one_per_dtype
from kernelbenchx.evaluate.compile_kernels import iterate_launches
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.expectation import accepted_entries, expectation_of
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.evaluate.workers import WorkerRun
from kernelbenchx.runner.endings import classify_ending
from kernelbenchx.runner.orders import WorkerError

_INTERPRETED = 0.5
"""Share of the time for the interpreter, which only finds the launches."""


@dataclass(frozen=True)
class CompiledFile:
    """Every kernel with its resources, and what went wrong outside the compiler."""

    target: str
    kernels: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """Why kernels may be missing."""


def _ignore_progress(_doing: str) -> None:
    """Show nothing."""


def compile_submission(
    pipeline: Pipeline, submission: Submission, tell: Callable[[str], None] = _ignore_progress
) -> CompiledFile:
    """On the largest case of each combination of dtypes, with every autotune configuration.

    All of it ends within the compile limit in elapsed time, counted from when the workers are warm.
    `tell` is called with each step.
    """
    known = facts(submission.task)
    attempt = EvaluationState(submission, known, accepted_entries(known))
    expectation = expectation_of(known, submission.language)
    attempt.binding = check_bounded(submission.source, expectation).binding
    slots, settings = one_per_dtype(submission.task, pipeline.seed), pipeline.settings
    plan = stages.plan_for(attempt, "interpret", slots, pipeline.seed, settings)
    limit = settings.compile_time_limit_s
    for kind in ("interpret", "compile"):
        pipeline.workers.zygotes[kind].wait_until_warm()
    ends = time.monotonic() + limit
    tell(f"interpreting {len(slots)} {'call' if len(slots) == 1 else 'calls'} to find kernels")
    interpreted = pipeline.workers.run(plan, limit * _INTERPRETED, by_clock=True)
    unloaded = [
        _describe_error(error, slots) for error in interpreted.report.errors if error.call is None
    ]
    if unloaded:
        return CompiledFile(settings.target, problems=unloaded)
    tell(f"compiling for {settings.target}")
    recorded = {one["kernel"]: one for one in iterate_launches(interpreted.report)}
    run = pipeline.workers.run(
        replace(plan, mode="compile", launches=tuple(recorded.values()), all_configurations=True),
        max(1.0, ends - time.monotonic()),
        by_clock=True,
    )
    trace = run.report.traces.get(None, {})
    kernels = list(_drop_repeated(trace.get("kernels", ())))
    ended = [*_describe_ending(interpreted, "interpreted"), *_describe_ending(run, "compiled")]
    return CompiledFile(settings.target, kernels, [*ended, *_describe_errors(run, kernels, slots)])


def _drop_repeated(kernels: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Drop repeated errors: the interpreter's launches refuse a kernel a second time."""
    refused = []
    for kernel in kernels:
        same = {key: kernel.get(key) for key in ("name", "arguments", "configuration", "error")}
        if kernel.get("ok") or same not in refused:
            yield kernel
        refused += [] if kernel.get("ok") else [same]


def _describe_ending(run: WorkerRun, how: str) -> Iterator[str]:
    if not run.ending.clean:
        ended = classify_ending(run.ending, Stage.CALL)
        yield f"{how}: {ended.reason.value}: {ended.detail}"


def _describe_errors(
    run: WorkerRun, kernels: list[dict[str, Any]], slots: tuple[Slot, ...]
) -> Iterator[str]:
    """What calls raised; a kernel that does not compile has its own message."""
    refused = {(kernel.get("error") or {}).get("type") for kernel in kernels}
    for error in run.report.errors:
        if error.kind not in refused:
            yield _describe_error(error, slots)


def _describe_error(error: WorkerError, slots: tuple[Slot, ...]) -> str:
    place = f"line {error.line}: " if error.line > 0 else ""
    case = "" if error.call is None else f" [{slots[error.call].drawn.case.name}]"
    return f"{place}{error.kind}: {error.message}{case}"
