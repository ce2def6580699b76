"""Certify tasks: form, witness, mutants, patches, sabotage."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace as replaced

import msgspec

from kernelbenchx import catalog
from kernelbenchx.catalog.digests import certificate_digest
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.certify.answers import kill_mutant, kill_sabotages, passes
from kernelbenchx.certify.certificate import Certificate, Kill
from kernelbenchx.certify.form import form_problems
from kernelbenchx.certify.valid import valid_outputs
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Broken, Composition, Correct, Outcome, Wrong
from kernelbenchx.core.seeds import derived
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.calls import Drawn, cases_of, drawn_cases
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.judge.correctness import truth_of
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.mutants import Mutant, Patch
from kernelbenchx.spec.task import Task


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


def certify_all(
    names: Iterable[str], pipeline: Pipeline, on_done: Callable[[Certificate], None]
) -> list[Certificate]:
    """Several tasks at once, in order."""
    found = []
    with ThreadPoolExecutor(max_workers=pipeline.settings.jobs) as pool:
        for certificate in pool.map(lambda name: certify(name, pipeline), names):
            on_done(certificate)
            found.append(certificate)
    return found


def _other_draw(name: str, seed: int) -> tuple[Drawn, ...]:
    """The same cases with other values."""
    task = catalog.load(name)
    calls = (
        (one.case, task.draw(one.case, derived(seed, name, one.case.name, "other")))
        for one in drawn_cases(name, seed)
    )
    return tuple(Drawn(case, call, truth_of(task, call)) for case, call in calls)


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
    """A patched witness runs like any submission; it need not compile, only be told apart.

    Most are by small cases; only who is not is tried on the large ones, which take far longer.
    """
    without = msgspec.structs.replace(pipeline.settings, compile=False, checks=False)
    quick = replaced(pipeline, workers=replaced(pipeline.workers, settings=without))
    source = witness_source(name).replace(patch.old, patch.new, 1)
    for cases in halves(catalog.load(name), cases_of(name, pipeline.seed)):
        trying = replaced(quick, only=cases)
        if by := _told_apart_by(trying.evaluate(_submission(name, patch.name, source)).outcome):
            return Kill(name=patch.name, kind="patch", killed=True, by=by)
    return Kill(name=patch.name, kind="patch", killed=False)


def halves(task: Task, cases: Iterable[Case]) -> tuple[frozenset[str], ...]:
    """The names of the cases that move fewer bytes than others, and of the others."""
    cases = sorted(cases, key=lambda case: task.cost(**case.params).bytes)
    middle = len(cases) // 2
    some = (frozenset(case.name for case in half) for half in (cases[:middle], cases[middle:]))
    return tuple(filter(None, some))


def _told_apart_by(outcome: Outcome) -> str:
    if isinstance(outcome, Wrong):
        return outcome.case
    if isinstance(outcome, Broken):
        return f"{outcome.reason.value} {outcome.case}".strip()
    return ""
