"""What the form of a task asks for beyond its answers: coverage, dtypes, costs, determinism."""

import math
from collections.abc import Iterable, Iterator

import torch

from kernelbenchx import catalog
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.evaluate.calls import cases_of
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.mutants import Patch
from kernelbenchx.spec.space import PARTS, find_uncovered_pairs
from kernelbenchx.spec.task import Task

LEAST_MUTANTS = 5


def form_problems(name: str, seed: int) -> list[str]:
    """Everything the form demands and the file does not keep; empty when all is well."""
    task = catalog.load(name)
    found = [
        *_coverage_problems(task, seed, name),
        *_space_problems(task),
        *_dtype_problems(task, cases_of(name, seed)),
        *_patch_problems(name, task),
    ]
    for case in cases_of(name, seed):
        call = task.draw(case, derive_seed(seed, name, case.name, "form"))
        found += _case_problems(task, case, call)
    return found


def _coverage_problems(task: Task, seed: int, name: str) -> Iterator[str]:
    if len(task.wrong_answers) < LEAST_MUTANTS:
        yield f"{len(task.wrong_answers)} mutants, at least {LEAST_MUTANTS} are asked for"
    covered = {word for mutant in task.wrong_answers for word in mutant.covers}
    for parameter in find_documented_arguments(task, seed, name):
        if parameter not in covered:
            yield f"no mutant covers the argument {parameter}"
    for code in task.audit:
        if code not in covered:
            yield f"no mutant covers the audit code {code}"


def find_documented_arguments(task: Task, seed: int, name: str) -> tuple[str, ...]:
    """Arguments that change the answer and are not simply the tensors to compute with."""
    tensors: set[str] = set()
    for case in cases_of(name, seed):
        bound = task.bound(task.draw(case, derive_seed(seed, name, case.name, "form")))
        tensors |= {key for key, value in bound.items() if isinstance(value, torch.Tensor)}
    found = []
    for parameter in task.signature.parameters.values():
        required = parameter.default is parameter.empty
        if parameter.name in task.inert or (required and parameter.name in tensors):
            continue
        if parameter.kind is not parameter.VAR_POSITIONAL:
            found.append(parameter.name)
    return tuple(found)


def _space_problems(task: Task) -> Iterator[str]:
    """A promise that no call tries is not kept by tests."""
    if task.space is None:
        return
    known = {axis.name: {one.name for one in axis.options} for axis in task.space.axes}
    for promise in task.promises:
        missing = set(promise.options) - known.get(promise.axis, set())
        if missing:
            named = ", ".join(sorted(missing))
            yield f"promise {promise.text!r}: axis {promise.axis} never draws {named}"
    for one, two in find_uncovered_pairs(task.space, range(PARTS)):
        yield f"{PARTS} seeds never call {'='.join(one)} with {'='.join(two)}"


def _dtype_problems(task: Task, cases: Iterable[Case]) -> Iterator[str]:
    checked = {str(value) for case in cases for value in _dtypes(case)}
    timed = {str(value) for case in task.timings for value in _dtypes(case)}
    if timed - checked:
        yield f"timed but never checked: {', '.join(sorted(timed - checked))}"
    missing = {str(dtype) for dtype in task.dtypes} - checked
    if missing and checked:
        yield f"declared but never checked: {', '.join(sorted(missing))}"
    if not task.timings:
        yield "no timing case"


def _dtypes(case: Case) -> list[torch.dtype]:
    return [value for value in case.params.values() if isinstance(value, torch.dtype)]


def _patch_problems(name: str, task: Task) -> Iterator[str]:
    source = witness_source(name)
    for mutant in task.wrong_answers:
        if isinstance(mutant, Patch) and source.count(mutant.old) != 1:
            yield f"patch {mutant.name!r}: its text occurs {source.count(mutant.old)} times"


def _case_problems(task: Task, case: Case, call: Call) -> Iterator[str]:
    again = task.draw(case, 1), task.draw(case, 1)
    if not all(_same(a, b) for a, b in zip(again[0].tensors(), again[1].tensors(), strict=True)):
        yield f"{case.name}: the same seed draws different inputs"
    if task.randomness == "none":
        one, two = task.native(call), task.native(call)
        pairs = zip(one.leaves, two.leaves, strict=True)
        if not all(_same(a.value, b.value) for a, b in pairs):
            yield f"{case.name}: the reference is not deterministic"
    cost = task.cost(**case.params)
    if cost.flops < 0 or cost.bytes < 0 or not math.isfinite(cost.flops):
        yield f"{case.name}: impossible cost {cost}"


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    return bool(torch.equal(_bits(one), _bits(other)))


def _bits(x: torch.Tensor) -> torch.Tensor:
    """Copied: a tensor of one element may be contiguous with any stride, and then has no view."""
    return torch.empty(x.numel(), dtype=x.dtype).copy_(x.flatten()).view(torch.uint8)
