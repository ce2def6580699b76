"""A method over real HTTP and through real evaluation, and what it leaves."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from desks import TASK, Told
from generate.loopback import Answer, Asked, Loopback
from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.record import from_json
from kernelbenchx.core.settings import Settings
from kernelbenchx.evaluate.session import RunSession, resolve_settings
from kernelbenchx.generate.method import Method
from kernelbenchx.generate.models.open_model import Terms, open_model
from kernelbenchx.generate.prompts import FormPrompts, Prompting
from kernelbenchx.generate.retry_policy import RetryPolicy
from kernelbenchx.generate.task_context import RunContext, TaskContext


@dataclass(frozen=True)
class Written:
    """What a run has kept, and what was asked for it."""

    outcomes: dict[str, type]
    parents: dict[str, str]
    prompts: list[str]


def written(method: Method, script: Callable[[Asked], Answer], out: Path) -> Written:
    """Everything for one task, in the interpreter."""
    settings = resolve_settings(Settings(device="interpreter", jobs=2, compile=False, seed=7))
    stop = threading.Event()
    with (
        Loopback(script) as server,
        open_model(
            "openai:loopback",
            Terms(base_url=server.url, patience=RetryPolicy(first_s=0.01, longest_s=0.02)),
            stop=stop,
            environment={},
        ) as reached,
        RunSession(settings, out) as session,
    ):
        office = RunContext(
            method="the one",
            model=reached.model,
            journal=session.database,
            bench=session,
            prompts=FormPrompts(Prompting()),
            watcher=Told(),
            seed=7,
            stop=stop,
        )
        method.run(statement(TASK), TaskContext(TASK, office))
        rows = session.database.connection.execute("SELECT record FROM evaluations").fetchall()
    kept = sorted(
        (from_json(record, Evaluation) for (record,) in rows), key=lambda one: one.origin.step
    )
    return Written(
        {one.origin.step: type(one.outcome) for one in kept},
        {one.origin.step: one.origin.parent for one in kept},
        [one.prompt for one in server.asked],
    )
