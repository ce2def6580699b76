"""One run from end to end: a method and a model make a folder with kernels and their verdicts."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from kernelbenchx.core.record import to_plain
from kernelbenchx.core.settings import ResolvedSettings
from kernelbenchx.core.standards import Standard
from kernelbenchx.evaluate.engine import Engine
from kernelbenchx.evaluate.own_test_isolation import require_confinable

# No Evaluator: a method resumes step by step from exchanges and trials that the run holds.
from kernelbenchx.evaluate.session import RunSession
from kernelbenchx.generate.method import HasOwnTests, Method, templates_of
from kernelbenchx.generate.models.open_model import OpenModel, Terms, open_model
from kernelbenchx.generate.prompts import FormPrompts
from kernelbenchx.generate.run_tasks import (
    GenerationNote,
    GenerationWork,
    RunWatcher,
    agree,
    generate,
)
from kernelbenchx.generate.task_context import RunContext
from kernelbenchx.store.layout import RunFolder

VERDICTS = ("device", "stage", "baselines", "target", "isolation", "time_limit_s")
"""Settings that a second start must repeat."""
FEEDBACK = "other calls than the verdict's"


@dataclass(frozen=True, kw_only=True)
class RunOrder:
    """What a run is to do."""

    method_name: str
    method: Method
    model: str
    """As a user writes it: `openai:NAME`."""
    tasks: Sequence[str]
    prompts: FormPrompts
    settings: ResolvedSettings
    out: Path
    terms: Terms
    temperature: float | None = None
    max_tokens: int | None = None
    standard: Standard = Standard.STRICT
    """What counts as correct."""
    engine: Engine | None = None
    """The machines that judge; this one without it."""


class RunProgress(RunWatcher, Protocol):
    """Also notified of requests that are tried again."""

    def trouble(self, why: str) -> None: ...


def write_run(
    order: RunOrder,
    progress: RunProgress,
    environment: Mapping[str, str],
    reached: Callable[[OpenModel], None],
) -> int:
    """All tasks to their end; nothing is written where the order itself is wrong.

    `reached` is given the model and its budget before anything is asked. Returns the most tokens
    that requests without a recorded end took, as after a kill.
    """
    order.prompts.refuse_unused(order.method.uses)
    if isinstance(order.method, HasOwnTests) and order.engine is None:
        require_confinable(order.settings.isolation)
    folder, stop = RunFolder.to_write(order.out), threading.Event()
    with (
        open_model(
            order.model, order.terms, stop=stop, environment=environment, told=progress.trouble
        ) as model,
        RunSession(order.settings, folder.root, order.engine) as session,
    ):
        reached(model)
        begun = _generation(order, model.model.name)
        agree(session.database, begun, str(order.out))
        session.expect(order.tasks, progress)
        judged_at_once = order.settings.jobs if order.engine is None else session.concurrency
        at_once = order.terms.in_flight + judged_at_once
        office = RunContext(
            method=order.method_name,
            model=model.model,
            journal=session.database,
            bench=session,
            prompts=order.prompts,
            watcher=progress,
            seed=session.seed,
            temperature=order.temperature,
            max_tokens=order.max_tokens,
            cost=model.budget.cost,
            standard=order.standard,
            stop=stop,
            # More threads could only wait, each with a reply in memory.
            hands=threading.Semaphore(at_once),
        )
        model.budget.charge(session.database.sum_usage())
        model.budget.ledger = session.database
        generate(GenerationWork(order.tasks, order.method, office, at_once), progress)
        lost = session.database.sum_lost_usage()
        return lost.prompt + lost.completion


def _generation(order: RunOrder, model: str) -> GenerationNote:
    verdicts = to_plain(order.settings)
    return GenerationNote(
        method=order.method_name,
        options=to_plain(order.method),
        model=model,
        temperature=order.temperature,
        max_tokens=order.max_tokens,
        prompts=to_plain(order.prompts.chosen),
        templates=order.prompts.digests(templates_of(order.method)),
        evaluation={name: verdicts[name] for name in VERDICTS}
        | {"feedback": FEEDBACK, "correct": order.standard.value},
    )
