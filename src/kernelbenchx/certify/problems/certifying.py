"""Certify KernelBench problems: honest answers pass, trivial and mutated ones fail."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext

import msgspec
import torch

from kernelbenchx import catalog
from kernelbenchx.catalog.digests import certificate_digest
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.certify.problems.graph_mutants import kill_graph_mutant
from kernelbenchx.certify.problems.judged_case import JudgedCase, values_of
from kernelbenchx.certify.problems.problem_certificate import ProblemCertificate, kill_faults
from kernelbenchx.certify.problems.trivial_answers import kill_trivial
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Composition, Correct
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.calls import drawn_cases
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.spec.graph_mutants import mutants_of
from kernelbenchx.spec.problem import Problem
from kernelbenchx.spec.reordered_sums import ReorderedSums

MOST_MUTANTS = 200
"""Of a deep network some are tried, picked evenly: each is a run of the whole network."""
ORDERS: dict[str, Callable[[], AbstractContextManager[object]]] = {
    "torch": nullcontext,
    "reordered": ReorderedSums,
}
"""Two orders of summation, both honest."""


def certify_problem(name: str, pipeline: Pipeline) -> ProblemCertificate:
    """Everything that can be shown of one problem on this machine."""
    task, digest = catalog.load(name), certificate_digest(name)
    assert isinstance(task, Problem)
    if task.unsound:
        return ProblemCertificate(
            task=name, digest=digest, unsound=task.unsound, honest={}, kills=(), faults=()
        )
    cases = [JudgedCase(task, drawn) for drawn in drawn_cases(name, pipeline.seed)]
    honest, faults = _judge_honest(cases)
    kills = kill_trivial(cases, pipeline.seed)
    mutants = mutants_of(task.reference, cases[0].drawn.call.widen(), MOST_MUTANTS)
    tried = [kill_graph_mutant(mutant, cases) for mutant in mutants]
    kills += [kill for kill in tried if kill is not None]
    found = ProblemCertificate(
        task=name,
        digest=digest,
        honest=honest,
        kills=tuple(kills),
        ineffective=tried.count(None),
        faults=(*faults, *kill_faults(tuple(kills))),
    )
    return _with_witness(found, pipeline)


def _judge_honest(cases: Sequence[JudgedCase]) -> tuple[dict[str, float], list[str]]:
    """The largest error of each order of summation, and what is wrong with the reference."""
    worst, faults = dict.fromkeys(ORDERS, 0.0), []
    for case in cases:
        again = values_of(case.task.native(case.drawn.call).leaves)
        if not all(map(_same_bits, again, case.native)):
            faults.append(f"{case.name}: the reference is not deterministic")
        # Kernels add 16-bit numbers in float32 and round once.
        call = case.drawn.call.map_tensors(_in_float32)
        for name, mode in ORDERS.items():
            with mode():
                answer = values_of(case.task.native(call).leaves)
            verdict = case.verdict(case.round_answer(answer))
            worst[name] = max(worst[name], verdict.worst)
            if not verdict.ok:
                faults.append(f"{case.name}: torch's own float32 fails ({name}): {verdict.detail}")
    return worst, faults


def _in_float32(value: torch.Tensor) -> torch.Tensor:
    return value.float() if value.is_floating_point() else value


def _same_bits(one: torch.Tensor, two: torch.Tensor) -> bool:
    if one.shape != two.shape or one.dtype != two.dtype:
        return False
    pair = (x.contiguous().flatten().view(torch.uint8) for x in (one, two))
    return bool(torch.equal(*pair))


def _with_witness(found: ProblemCertificate, pipeline: Pipeline) -> ProblemCertificate:
    if not catalog.witness_path(found.task).is_file():
        return found
    source = witness_source(found.task)
    evaluation = pipeline.evaluate(Submission(name="witness", task=found.task, source=source))
    outcome = evaluation.outcome
    return msgspec.structs.replace(
        found,
        witness=type(outcome).__name__.lower(),
        worst=outcome.worst if isinstance(outcome, Correct) else float("inf"),
        witness_faults=_witness_faults(evaluation),
    )


def _witness_faults(evaluation: Evaluation) -> tuple[str, ...]:
    outcome = evaluation.outcome
    if not isinstance(outcome, Correct):
        return (f"the witness is not correct: {msgspec.to_builtins(outcome)}",)
    if evaluation.composition is not Composition.PURE:
        return (f"the witness is {evaluation.composition.value}, not pure",)
    return ()
