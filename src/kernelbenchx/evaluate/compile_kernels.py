"""Compiles for `--target` what the interpreter saw launched: what does not compile is broken."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from kernelbenchx.core.evaluation import KernelFacts
from kernelbenchx.core.outcome import Broken, Outcome, Reason, Stage, Void
from kernelbenchx.core.seeds import derived
from kernelbenchx.evaluate.attempt import Attempt
from kernelbenchx.evaluate.calls import Slot, one_per_dtype
from kernelbenchx.evaluate.compiler_facts import facts_of
from kernelbenchx.evaluate.forms import Forms, distinct, front_end_only
from kernelbenchx.evaluate.stages import plan_for
from kernelbenchx.evaluate.workers import Run, Workers
from kernelbenchx.runner.endings import broken
from kernelbenchx.runner.exchange import Report

_MOST_QUOTED = 600


def compile_kernels(
    attempt: Attempt, workers: Workers, interpreted: Report, slots: Sequence[Slot], seed: int
) -> Outcome | None:
    """Every form of launch through Triton's front end, machine code for every program."""
    forms = _forms(attempt, interpreted, slots, seed)
    run = _compiled(attempt, workers, forms, (), seed)
    if not run.ending.lost and _said(run).get("untried"):
        # Kernels that no name of the module leads to are found where the wrapper launches them.
        calls = one_per_dtype(attempt.submission.task, seed)
        run = _compiled(attempt, workers, forms, calls, seed)
    if run.ending.lost:
        return broken(run.ending, Stage.CALL)
    kernels = facts_of(_said(run).get("kernels", ()), workers.settings.target)
    attempt.kernels += kernels
    attempt.binaries = tuple(_binaries(forms, _said(run).get("binaries", ())))
    left_out = forms.left_out + _said(run).get("left_out", 0)
    if left_out:
        attempt.flags.append(f"not all forms were compiled: {left_out} of the launches left out")
    return _refused(kernels) or _missing(run, forms, kernels)


def refused_by_compiler(
    attempt: Attempt, workers: Workers, interpreted: Report, slots: Sequence[Slot], seed: int
) -> Broken | None:
    """Whether Triton's front end refuses what was launched: then a launch that failed in the
    interpreter has failed for that reason, and the compiler says it better."""
    if not any(trace.get("failures") for trace in interpreted.traces.values()):
        return None
    forms = _forms(attempt, interpreted, slots, seed)
    forms = replace(forms, launches=tuple(map(front_end_only, forms.launches)))
    run = _compiled(attempt, workers, forms, (), seed)
    return _refused(facts_of(_said(run).get("kernels", ()), workers.settings.target))


def _forms(attempt: Attempt, interpreted: Report, slots: Sequence[Slot], seed: int) -> Forms:
    """Of calls that had their kernels: without them a wrapper may launch anything."""
    ablated: list[int | None] = [n for n, slot in enumerate(slots) if slot.ablate]
    forms = distinct(
        launches_in(interpreted, ablated), derived(seed, attempt.submission.digest, "forms")
    )
    guessed = guessed_kernels(interpreted)
    wanted = (
        {**one, "needs_wanted": True} if one["kernel"] in guessed else one for one in forms.launches
    )
    return replace(forms, launches=tuple(wanted))


def guessed_kernels(report: Report) -> set[str]:
    """Kernels of which the wrapper read registers or shared memory that nobody knew."""
    return {kernel for trace in report.traces.values() for kernel in trace.get("guessed", ())}


def _binaries(forms: Forms, said: Sequence[dict[str, int]]) -> Iterator[dict[str, Any]]:
    for one in said:
        if 0 <= one["number"] < len(forms.launches):
            needs = {name: one[name] for name in ("registers", "shared_bytes")}
            yield {"launch": forms.launches[one["number"]], **needs}


def launches_in(report: Report, without: Collection[int | None] = ()) -> Iterator[dict[str, Any]]:
    """Launches that a worker told of, except those of some calls."""
    for number, trace in report.traces.items():
        if number not in without:
            yield from trace.get("launches", ())


def _compiled(
    attempt: Attempt, workers: Workers, forms: Forms, calls: tuple[Slot, ...], seed: int
) -> Run:
    plan = plan_for(attempt, "compile", calls, seed, workers.settings)
    plan = replace(plan, launches=forms.launches)
    return workers.run(plan, workers.settings.compile_wall_s)


def _said(run: Run) -> dict[str, Any]:
    return run.report.traces.get(None) or {}


def _refused(kernels: Sequence[KernelFacts]) -> Broken | None:
    for kernel in kernels:
        if not kernel.ok:
            return Broken(
                stage=Stage.CALL,
                reason=Reason.COMPILE_ERROR,
                detail=f"{kernel.name}: {kernel.error}",
                line=kernel.line,
            )
    return None


def _missing(run: Run, forms: Forms, kernels: Sequence[KernelFacts]) -> Outcome | None:
    """A kernel of which nothing was compiled, and why."""
    missing = {launch["kernel"] for launch in forms.launches} - {one.name for one in kernels}
    if not missing:
        return None
    if not run.ending.clean:
        return broken(run.ending, Stage.CALL)
    if _said(run).get("left_out"):
        detail = "its launches take too many forms to compile within the time limit"
        return Void(reason=Reason.TOO_SLOW, detail=detail)
    reasons = [one for one in _said(run).get("untried", ()) if one.partition(":")[0] in missing]
    raised = [f"{error.kind}: {error.message}" for error in run.report.errors]
    detail = f"no compiled kernel for: {', '.join(sorted(missing))}"
    for said in dict.fromkeys([*reasons[:1], *raised[:1]]):
        detail += f"; {said}"
    line = next((error.line for error in run.report.errors if error.line > 0), 0)
    return Broken(
        stage=Stage.CALL, reason=Reason.NOT_COMPILED, detail=detail[:_MOST_QUOTED], line=line
    )
