"""Certify tasks: form, witness, mutants, patches, sabotage."""

import msgspec

from kernelbenchx import catalog
from kernelbenchx.catalog.digests import certificate_digest
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.certify.catching import Catcher
from kernelbenchx.certify.certificate import Certificate, Kill
from kernelbenchx.certify.task_form import form_problems
from kernelbenchx.certify.valid_outputs import valid_outputs
from kernelbenchx.certify.wrong_answers import kill_mutant, kill_sabotages, passes
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Composition, Correct
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.calls import DrawnCase, drawn_cases
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.judge.correctness import truth_of
from kernelbenchx.spec.mutants import Mutant, Patch


def certify(name: str, pipeline: Pipeline) -> Certificate:
    """Everything that can be shown of one task on this machine."""
    task = catalog.load(name)
    drawn = drawn_cases(name, pipeline.seed)
    problems = form_problems(name, pipeline.seed)
    witness = pipeline.evaluate(_submission(name, "witness", witness_source(name)))
    problems += _witness_problems(witness)
    kills = [
        kill_mutant(task, mutant, drawn, pipeline.seed)
        for mutant in task.wrong_answers
        if isinstance(mutant, Mutant)
    ]
    kills += [
        _kill_patch(name, patch, pipeline)
        for patch in task.wrong_answers
        if isinstance(patch, Patch)
    ]
    right = valid_outputs(name, drawn, pipeline, salt=1)
    problems += [
        f"{one.case.name}: a right answer fails"
        for one, outputs in zip(drawn, right, strict=True)
        if not passes(task, one, outputs)
    ]
    others = valid_outputs(name, _other_draw(name, pipeline.seed), pipeline, salt=2)
    kills += kill_sabotages(task, drawn, right, others)
    problems += [f"{kill.kind} {kill.name!r} lives" for kill in kills if not kill.killed]
    return Certificate(
        task=name,
        digest=certificate_digest(name),
        witness=type(witness.outcome).__name__.lower(),
        worst=witness.outcome.worst if isinstance(witness.outcome, Correct) else float("inf"),
        kills=tuple(kills),
        problems=tuple(problems),
    )


def _other_draw(name: str, seed: int) -> tuple[DrawnCase, ...]:
    """The same cases with other values."""
    task = catalog.load(name)
    calls = (
        (one.case, task.draw(one.case, derive_seed(seed, name, one.case.name, "other")))
        for one in drawn_cases(name, seed)
    )
    return tuple(DrawnCase(case, call, truth_of(task, call)) for case, call in calls)


def _submission(name: str, label: str, source: str) -> Submission:
    return Submission(name=label, task=name, source=source)


def _witness_problems(evaluation: Evaluation) -> list[str]:
    outcome = evaluation.outcome
    if not isinstance(outcome, Correct):
        said = msgspec.to_builtins(outcome)
        return [f"the witness is not correct: {said}"]
    if evaluation.composition is not Composition.PURE:
        return [f"the witness is {evaluation.composition.value}, not pure"]
    return []


def _kill_patch(name: str, patch: Patch, pipeline: Pipeline) -> Kill:
    """A patched witness runs like any submission; it need not compile, only be told apart."""
    source = witness_source(name).replace(patch.old, patch.new, 1)
    caught = Catcher(pipeline).catch(_submission(name, patch.name, source))
    by = caught.by if caught else ""
    return Kill(name=patch.name, kind="patch", killed=caught is not None, by=by)
