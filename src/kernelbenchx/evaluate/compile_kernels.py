"""Compiles for `--target` what the interpreter saw launched: what does not compile is broken."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import msgspec

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.evaluation import KernelFacts
from kernelbenchx.core.outcome import Broken, Reason, Stage, Void
from kernelbenchx.core.seeds import derived
from kernelbenchx.evaluate.attempt import Attempt
from kernelbenchx.evaluate.call_results import CallResults, Failure
from kernelbenchx.evaluate.calls import Slot, one_per_dtype
from kernelbenchx.evaluate.compiler_facts import facts_of
from kernelbenchx.evaluate.forms import Forms, distinct, front_end_only, same_form
from kernelbenchx.evaluate.stages import plan_for
from kernelbenchx.evaluate.workers import Run, Workers
from kernelbenchx.judge.authorship import another_body
from kernelbenchx.runner.endings import broken
from kernelbenchx.runner.exchange import Report

_MAYBE_REFUSED = (Reason.RUNTIME_ERROR, Reason.COMPILE_ERROR)
"""How a launch fails in the interpreter where Triton's front end refuses the kernel."""
_MOST_QUOTED = 600


def with_compile_errors(
    attempt: Attempt, workers: Workers, called: CallResults, slots: Sequence[Slot], seed: int
) -> CallResults:
    """What cannot be interpreted may still fail to compile; where a launch failed in the
    interpreter, a compiler may know why."""
    known = (attempt, workers, called.report, slots, seed)
    calls = (number for number, slot in enumerate(slots) if not slot.ablate)
    if any(not isinstance(called.failures.get(number), Broken) for number in calls):
        found = compile_kernels(*known)
    elif any(map(_may_be_refused, called.failures.values())):
        found = refused_by_compiler(*known)
    else:
        return called
    new = {
        number: one
        for number, one in found.items()
        if number not in called.failures or _may_be_refused(called.failures[number])
    }
    return replace(called, failures={**called.failures, **new})


def _may_be_refused(failure: Failure) -> bool:
    return isinstance(failure, Void) or failure.reason in _MAYBE_REFUSED


def compile_kernels(
    attempt: Attempt, workers: Workers, interpreted: Report, slots: Sequence[Slot], seed: int
) -> dict[int, Failure]:
    """Every form of launch through Triton's front end, machine code for every program.

    For each call that launched what does not compile, why; the others stay as they are.
    """
    forms = _forms(attempt, interpreted, slots, seed)
    run = _compiled(attempt, workers, forms, (), seed)
    if not run.ending.lost and _said(run).get("untried"):
        # Kernels that no name of the module leads to are found where the wrapper launches them.
        calls = one_per_dtype(attempt.submission.task, seed)
        run = _compiled(attempt, workers, forms, calls, seed)
    if run.ending.lost:
        raise EvaluatorFault(run.ending.fault or "the warm worker process ended")
    kernels = facts_of(_said(run).get("kernels", ()), workers.settings.target)
    attempt.kernels += kernels
    attempt.binaries = tuple(_binaries(forms, _said(run).get("binaries", ())))
    attempt.differences = tuple(map(another_body, _said(run).get("differences", ())))
    left_out = forms.left_out + _said(run).get("left_out", 0)
    if left_out:
        attempt.flags.append(f"not all forms were compiled: {left_out} of the launches left out")
    launched = _Launched(interpreted, slots)
    return _missing(run, forms, kernels, launched) | _refused(run, forms, kernels, launched)


def refused_by_compiler(
    attempt: Attempt, workers: Workers, interpreted: Report, slots: Sequence[Slot], seed: int
) -> dict[int, Failure]:
    """What Triton's front end refuses of what was launched: then a launch that failed in the
    interpreter has failed for that reason, and the compiler says it better."""
    if not any(trace.get("failures") for trace in interpreted.traces.values()):
        return {}
    forms = _forms(attempt, interpreted, slots, seed)
    forms = replace(forms, launches=tuple(map(front_end_only, forms.launches)))
    run = _compiled(attempt, workers, forms, (), seed)
    kernels = facts_of(_said(run).get("kernels", ()), workers.settings.target)
    return _refused(run, forms, kernels, _Launched(interpreted, slots))


@dataclass(frozen=True)
class _Launched:
    """Which calls launched what."""

    report: Report
    slots: Sequence[Slot]

    def failing(
        self, failure: Failure, launches: Callable[[dict[str, Any]], bool]
    ) -> dict[int, Failure]:
        """The failure for each call, with its kernels, that made such a launch."""
        return {
            number: self._at(failure, number)
            for number, trace in self.report.traces.items()
            if number is not None and not self.slots[number].ablate
            if any(map(launches, trace.get("launches", ())))
        }

    def _at(self, failure: Failure, number: int) -> Failure:
        if isinstance(failure, Void):
            return failure
        return msgspec.structs.replace(failure, case=self.slots[number].drawn.case.name)


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
    """Kernels whose registers or shared memory the wrapper read before they were known."""
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
    return workers.run(plan, workers.settings.compile_time_limit_s)


def _said(run: Run) -> dict[str, Any]:
    return run.report.traces.get(None) or {}


def _refused(
    run: Run, forms: Forms, kernels: Sequence[KernelFacts], launched: _Launched
) -> dict[int, Failure]:
    """Calls that launched a form which does not compile; every call of the kernel where the worker
    does not say which form it was."""
    refused = _numbered(forms, _said(run).get("refused", ()))
    found: dict[int, Failure] = {}
    own: dict[int, Failure] = {}
    told = zip(kernels, _said(run).get("kernels", ()), strict=True)
    for kernel, said in reversed(list(told)):  # of several that one call launched the first counts
        if kernel.ok:
            continue
        failure = Broken(
            stage=Stage.CALL,
            reason=Reason.COMPILE_ERROR,
            detail=f"{kernel.name}: {kernel.error}",
            line=kernel.line,
        )
        known = same_form(one for one in refused if one["kernel"] == kernel.name)
        found |= launched.failing(failure, known.__contains__) or launched.failing(
            failure, partial(_is_of, {kernel.name})
        )
        mine = same_form(_numbered(forms, said.get("refused", ())))
        own |= launched.failing(failure, mine.__contains__)
    # A dtype has its own message: that of another one would mislead.
    return {number: own.get(number, failure) for number, failure in found.items()}


def _numbered(forms: Forms, numbers: Sequence[int]) -> list[dict[str, Any]]:
    return [forms.launches[number] for number in numbers if 0 <= number < len(forms.launches)]


def _is_of(names: Collection[str], launch: dict[str, Any]) -> bool:
    return launch["kernel"] in names


def _missing(
    run: Run, forms: Forms, kernels: Sequence[KernelFacts], launched: _Launched
) -> dict[int, Failure]:
    """Calls that launched a kernel of which nothing was compiled, and why."""
    missing = {launch["kernel"] for launch in forms.launches} - {one.name for one in kernels}
    if not missing:
        return {}
    return launched.failing(_why_missing(run, missing), partial(_is_of, missing))


def _why_missing(run: Run, missing: set[str]) -> Failure:
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
