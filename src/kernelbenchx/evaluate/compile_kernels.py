"""Compiles for `--target` what the interpreter saw launched; what does not compile is broken."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import msgspec

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.evaluation import KernelFacts
from kernelbenchx.core.outcome import Broken, Reason, Stage, Void
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.evaluate.call_results import CallResults, Failure
from kernelbenchx.evaluate.calls import Slot, one_per_dtype
from kernelbenchx.evaluate.compiler_facts import facts_of
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.launch_forms import (
    LaunchForms,
    front_end_only,
    make_form_test,
    pick_distinct,
)
from kernelbenchx.evaluate.stages import plan_for
from kernelbenchx.evaluate.workers import WorkerRun, Workers
from kernelbenchx.judge.authorship import another_body
from kernelbenchx.runner.endings import classify_ending
from kernelbenchx.runner.orders import WorkerReport

_MAYBE_REFUSED = (Reason.RUNTIME_ERROR, Reason.COMPILE_ERROR)
"""Errors of the interpreter that may hide a refusal by Triton's front end."""
_MOST_QUOTED = 600


def add_compile_errors(
    attempt: EvaluationState,
    workers: Workers,
    called: CallResults,
    slots: Sequence[Slot],
    seed: int,
) -> CallResults:
    """Add compile errors: a kernel that the interpreter cannot run may also fail to compile, and
    for a launch that failed in the interpreter a compiler may know why."""
    known = (attempt, workers, called.report, slots, seed)
    calls = (number for number, slot in enumerate(slots) if not slot.ablate)
    if any(not isinstance(called.failures.get(number), Broken) for number in calls):
        found = compile_kernels(*known)
    elif any(map(_may_be_refused, called.failures.values())):
        found = find_refusals(*known)
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
    attempt: EvaluationState,
    workers: Workers,
    interpreted: WorkerReport,
    slots: Sequence[Slot],
    seed: int,
) -> dict[int, Failure]:
    """Every form of launch through Triton's front end, machine code for every program.

    For each call with a launch that does not compile, the reason; the others stay as they are.
    """
    forms = _forms(attempt, interpreted, slots, seed)
    run = _run_compiler(attempt, workers, forms, (), seed)
    if not run.ending.lost and _read_trace(run).get("untried"):
        # Kernels without a name in the module are found where the wrapper launches them.
        calls = one_per_dtype(attempt.submission.task, seed)
        run = _run_compiler(attempt, workers, forms, calls, seed)
    if run.ending.lost:
        raise EvaluatorFault(run.ending.fault or "the warm worker process ended")
    kernels = facts_of(_read_trace(run).get("kernels", ()), workers.settings.target)
    attempt.kernels += kernels
    attempt.binaries = tuple(_binaries(forms, _read_trace(run).get("binaries", ())))
    attempt.differences = tuple(map(another_body, _read_trace(run).get("differences", ())))
    left_out = forms.left_out + _read_trace(run).get("left_out", 0)
    if left_out:
        attempt.flags.append(f"not all forms were compiled: {left_out} of the launches left out")
    launched = _LaunchRecords(interpreted, slots)
    return _find_missing(run, forms, kernels, launched) | _find_refused(
        run, forms, kernels, launched
    )


def find_refusals(
    attempt: EvaluationState,
    workers: Workers,
    interpreted: WorkerReport,
    slots: Sequence[Slot],
    seed: int,
) -> dict[int, Failure]:
    """What Triton's front end refuses of the launches. A launch that failed in the interpreter then
    failed for that reason, and the compiler's message is better."""
    if not any(trace.get("failures") for trace in interpreted.traces.values()):
        return {}
    forms = _forms(attempt, interpreted, slots, seed)
    forms = replace(forms, launches=tuple(map(front_end_only, forms.launches)))
    run = _run_compiler(attempt, workers, forms, (), seed)
    kernels = facts_of(_read_trace(run).get("kernels", ()), workers.settings.target)
    return _find_refused(run, forms, kernels, _LaunchRecords(interpreted, slots))


@dataclass(frozen=True)
class _LaunchRecords:
    """Which calls launched which kernels."""

    report: WorkerReport
    slots: Sequence[Slot]

    def assign_failure(
        self, failure: Failure, launches: Callable[[dict[str, Any]], bool]
    ) -> dict[int, Failure]:
        """The failure for each call, with its kernels, that made such a launch."""
        return {
            number: self._name_case(failure, number)
            for number, trace in self.report.traces.items()
            if number is not None and not self.slots[number].ablate
            if any(map(launches, trace.get("launches", ())))
        }

    def _name_case(self, failure: Failure, number: int) -> Failure:
        if isinstance(failure, Void):
            return failure
        return msgspec.structs.replace(failure, case=self.slots[number].drawn.case.name)


def _forms(
    attempt: EvaluationState, interpreted: WorkerReport, slots: Sequence[Slot], seed: int
) -> LaunchForms:
    """Forms of launches in calls with kernels: without them a wrapper may launch anything."""
    ablated: list[int | None] = [n for n, slot in enumerate(slots) if slot.ablate]
    forms = pick_distinct(
        iterate_launches(interpreted, ablated),
        derive_seed(seed, attempt.submission.digest, "forms"),
    )
    guessed = guessed_kernels(interpreted)
    wanted = (
        {**one, "needs_wanted": True} if one["kernel"] in guessed else one for one in forms.launches
    )
    return replace(forms, launches=tuple(wanted))


def guessed_kernels(report: WorkerReport) -> set[str]:
    """Kernels whose registers or shared memory the wrapper read before they were known."""
    return {kernel for trace in report.traces.values() for kernel in trace.get("guessed", ())}


def _binaries(forms: LaunchForms, said: Sequence[dict[str, int]]) -> Iterator[dict[str, Any]]:
    for one in said:
        if 0 <= one["number"] < len(forms.launches):
            needs = {name: one[name] for name in ("registers", "shared_bytes")}
            yield {"launch": forms.launches[one["number"]], **needs}


def iterate_launches(
    report: WorkerReport, without: Collection[int | None] = ()
) -> Iterator[dict[str, Any]]:
    """Launches that a worker reported, except those of some calls."""
    for number, trace in report.traces.items():
        if number not in without:
            yield from trace.get("launches", ())


def _run_compiler(
    attempt: EvaluationState,
    workers: Workers,
    forms: LaunchForms,
    calls: tuple[Slot, ...],
    seed: int,
) -> WorkerRun:
    plan = plan_for(attempt, "compile", calls, seed, workers.settings)
    plan = replace(plan, launches=forms.launches)
    return workers.run(plan, workers.settings.compile_time_limit_s)


def _read_trace(run: WorkerRun) -> dict[str, Any]:
    return run.report.traces.get(None) or {}


def _find_refused(
    run: WorkerRun, forms: LaunchForms, kernels: Sequence[KernelFacts], launched: _LaunchRecords
) -> dict[int, Failure]:
    """Calls that launched a form that does not compile; every call of the kernel if the worker does
    not say which form it was."""
    refused = _pick_launches(forms, _read_trace(run).get("refused", ()))
    found: dict[int, Failure] = {}
    own: dict[int, Failure] = {}
    told = zip(kernels, _read_trace(run).get("kernels", ()), strict=True)
    for kernel, said in reversed(list(told)):  # of several in one call the first counts
        if kernel.ok:
            continue
        failure = Broken(
            stage=Stage.CALL,
            reason=Reason.COMPILE_ERROR,
            detail=f"{kernel.name}: {kernel.error}",
            line=kernel.line,
        )
        known = make_form_test(one for one in refused if one["kernel"] == kernel.name)
        found |= launched.assign_failure(failure, known.__contains__) or launched.assign_failure(
            failure, partial(_launches_kernel, {kernel.name})
        )
        mine = make_form_test(_pick_launches(forms, said.get("refused", ())))
        own |= launched.assign_failure(failure, mine.__contains__)
    # A dtype has its own message: that of another dtype would mislead.
    return {number: own.get(number, failure) for number, failure in found.items()}


def _pick_launches(forms: LaunchForms, numbers: Sequence[int]) -> list[dict[str, Any]]:
    return [forms.launches[number] for number in numbers if 0 <= number < len(forms.launches)]


def _launches_kernel(names: Collection[str], launch: dict[str, Any]) -> bool:
    return launch["kernel"] in names


def _find_missing(
    run: WorkerRun, forms: LaunchForms, kernels: Sequence[KernelFacts], launched: _LaunchRecords
) -> dict[int, Failure]:
    """Calls that launched a kernel of which nothing was compiled, and why."""
    missing = {launch["kernel"] for launch in forms.launches} - {one.name for one in kernels}
    if not missing:
        return {}
    return launched.assign_failure(_why_missing(run, missing), partial(_launches_kernel, missing))


def _why_missing(run: WorkerRun, missing: set[str]) -> Failure:
    if not run.ending.clean:
        return classify_ending(run.ending, Stage.CALL)
    if _read_trace(run).get("left_out"):
        detail = "its launches take too many forms to compile within the time limit"
        return Void(reason=Reason.TOO_SLOW, detail=detail)
    reasons = [
        one for one in _read_trace(run).get("untried", ()) if one.partition(":")[0] in missing
    ]
    raised = [f"{error.kind}: {error.message}" for error in run.report.errors]
    detail = f"no compiled kernel for: {', '.join(sorted(missing))}"
    for said in dict.fromkeys([*reasons[:1], *raised[:1]]):
        detail += f"; {said}"
    line = next((error.line for error in run.report.errors if error.line > 0), 0)
    return Broken(
        stage=Stage.CALL, reason=Reason.NOT_COMPILED, detail=detail[:_MOST_QUOTED], line=line
    )
