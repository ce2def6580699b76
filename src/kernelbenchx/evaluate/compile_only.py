"""Compiles what a submission launches, for a card that is not there, and nothing else."""

from dataclasses import dataclass, replace
from typing import Any

from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate import stages
from kernelbenchx.evaluate.attempt import Attempt
from kernelbenchx.evaluate.calls import one_per_dtype
from kernelbenchx.evaluate.expectation import accepted_entries
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.runner.endings import broken


@dataclass(frozen=True)
class Compiled:
    """Every kernel with its resources, and what went wrong outside the compiler."""

    target: str
    kernels: list[dict[str, Any]]
    problem: str = ""


def compile_submission(pipeline: Pipeline, submission: Submission) -> Compiled:
    """On the largest case of each combination of dtypes, with every autotune configuration."""
    known = facts(submission.task)
    attempt = Attempt(submission, known, accepted_entries(known))
    slots, settings = one_per_dtype(submission.task, pipeline.seed), pipeline.settings
    plan = stages.plan_for(attempt, "interpret", slots, pipeline.seed, settings)
    interpreted = pipeline.workers.run(plan, settings.wall_s)
    recorded = {one["kernel"]: one for one in stages.launches_in(interpreted.report)}
    run = pipeline.workers.run(
        replace(plan, mode="compile", launches=tuple(recorded.values()), all_configurations=True),
        settings.compile_wall_s,
    )
    trace = run.report.traces.get(None) or _last_trace(run.report.traces)
    kernels = [kernel for kernel in trace.get("kernels", ()) if isinstance(kernel, dict)]
    problem = ""
    if not run.ending.clean:
        ended = broken(run.ending, Stage.CALL)
        problem = f"{ended.reason.value}: {ended.detail}"
    elif run.report.errors and not kernels:
        first = run.report.errors[0]
        problem = f"{first.kind}: {first.message} (line {first.line})"
    return Compiled(settings.target, kernels, problem)


def _last_trace(traces: dict[int | None, dict[str, Any]]) -> dict[str, Any]:
    return list(traces.values())[-1] if traces else {}
