"""Wrong answers computed in torch: mutants of the reference and generic sabotage."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from kernelbenchx.certify.certificate import Kill
from kernelbenchx.core.outcome import Wrong
from kernelbenchx.evaluate.calls import DrawnCase
from kernelbenchx.judge.correctness import judge_case, truth_of
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.contract import Evidence
from kernelbenchx.spec.mutants import Mutant, MutantRefusal
from kernelbenchx.spec.outputs import CallResult, Leaf
from kernelbenchx.spec.sabotage import SABOTAGES, Sabotage
from kernelbenchx.spec.task import Task

Runs = tuple[tuple[torch.Tensor, ...], ...]
"""Outputs of each repetition of a call."""


def kill_mutant(task: Task, mutant: Mutant, drawn: Sequence[DrawnCase], seed: int) -> Kill:
    """Judge the mutant on every case until one rejects it."""
    for one in drawn:
        if is_rejected(task, mutant.answer, one):
            by = one.case.name
            if "B-PERFD" in mutant.covers and not _rejected_when_timed(task, mutant, seed):
                return Kill(name=mutant.name, kind="mutant", killed=False, by="lives when timed")
            return Kill(name=mutant.name, kind="mutant", killed=True, by=by)
    return Kill(name=mutant.name, kind="mutant", killed=False)


def is_rejected(task: Task, answer: Callable[..., Any], one: DrawnCase) -> bool:
    """Whether the case tells the answer from a right one."""
    try:
        returned = [
            run_answer(task, answer, one.call, repetition)
            for repetition in range(task.calls(one.case))
        ]
    except MutantRefusal:
        return True
    except (RuntimeError, ValueError, TypeError, IndexError, AttributeError):
        return False  # a mutant that cannot be run on a case shows nothing there
    verdict = judge_case(task, one.case, one.call, returned, "cuda", one.truth)
    return isinstance(verdict, Wrong)


def _rejected_when_timed(task: Task, mutant: Mutant, seed: int) -> bool:
    """Degenerate timing inputs would let it live there."""
    smallest: Case = min(task.timings, key=lambda case: task.cost(**case.params).bytes)
    call = task.draw(smallest, seed)
    return is_rejected(task, mutant.answer, DrawnCase(smallest, call, truth_of(task, call)))


def run_answer(task: Task, answer: Callable[..., Any], call: Call, repetition: int) -> CallResult:
    """What a torch function would have given back through a worker."""
    arguments = call.repeat(repetition).copy().concrete()
    torch.manual_seed(repetition + 1)
    outputs = task.outputs(answer, arguments)
    returned = [_as_returned(leaf) for leaf in outputs.leaves[: outputs.returned]]
    whole = returned[0] if len(returned) == 1 else tuple(returned)
    return CallResult(result=whole, after=arguments, aliases=outputs.aliases)


def _as_returned(leaf: Leaf) -> Any:
    if leaf.kind in ("tensor", "other"):
        return leaf.value
    return None if leaf.kind == "none" else leaf.value.item()


def kill_sabotages(
    task: Task, drawn: Sequence[DrawnCase], right: Sequence[Runs], others: Sequence[Runs]
) -> list[Kill]:
    """Every generic wrong answer that must not pass; those that change nothing are left out.

    `right` are valid outputs of each case, `others` those of another draw of the same case.
    """
    kills = []
    for sabotage in SABOTAGES:
        if sabotage.must_fail(task.contract):
            kill = _kill_sabotage(task, sabotage, drawn, list(zip(right, others, strict=True)))
            kills += [kill] if kill is not None else []
    return kills


def _kill_sabotage(
    task: Task, sabotage: Sabotage, drawn: Sequence[DrawnCase], valid: Sequence[tuple[Runs, Runs]]
) -> Kill | None:
    tried = False
    for one, (right, other) in zip(drawn, valid, strict=True):
        spoiled = [sabotage.attempt(a, b) for a, b in zip(right, other, strict=True)]
        outputs = tuple(outputs for outputs in spoiled if outputs is not None)
        if len(outputs) < len(spoiled):
            continue
        tried = True
        if not passes(task, one, outputs):
            return Kill(name=sabotage.name, kind="sabotage", killed=True, by=one.case.name)
    return Kill(name=sabotage.name, kind="sabotage", killed=False) if tried else None


def passes(task: Task, one: DrawnCase, outputs: Runs) -> bool:
    """Whether the contract takes these outputs for right."""
    native = tuple(leaf.value for leaf in one.truth.native.leaves)
    evidence = Evidence(call=one.call, outputs=outputs, truth=one.truth.exact, native=native)
    return task.contract.judge(evidence).ok
