"""Runs that a model wrote, with their transcript: invented, quickly, in the real form."""

import hashlib
from pathlib import Path

import msgspec

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Broken, Correct, Outcome, Reason, Stage
from kernelbenchx.core.submission import Origin
from kernelbenchx.core.transcript import Exchange, Message, Reply, Request, Usage
from kernelbenchx.store.database import Database, writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation

TASKS = ("activation/gelu", "activation/relu", "math/add", "math/div", "reduce/sum", "math/log1p")
BROKEN = Broken(stage=Stage.CALL, reason=Reason.LOAD_ERROR, detail="no", line=1)
RIGHT = Correct(cases=4, worst=0.5)


def write_asked_run(
    folder: Path,
    solved_after: dict[str, int] | None = None,
    *,
    method: str = "refine",
    words: str = "words",
    cost: float | None = 0.25,
) -> Path:
    """Rounds of 100 tokens for each task until it is solved; 0 for never, after three rounds."""
    plan = solved_after or {task: number % 4 for number, task in enumerate(TASKS)}
    with writing(RunFolder(folder)) as database:
        for task, after in plan.items():
            for number in range(after or 3):
                step = f"round {number}"
                database.keep_exchange(exchange(task, step, words, cost), method)
                outcome = RIGHT if number + 1 == after else BROKEN
                _append(database, _written(task, number, method, outcome))
    return folder


def exchange(task: str, step: str, words: str = "words", cost: float | None = 0.25) -> Exchange:
    """A hundred tokens for a quarter of a dollar."""
    messages = (Message("system", f"system {words}"), Message("user", f"do {task} {words}"))
    return Exchange(
        key=hashlib.sha256(f"{task} {step}".encode()).hexdigest(),
        task=task,
        step=step,
        request=Request(model="model", messages=messages, max_tokens=500, seed=7, temperature=0.5),
        reply=Reply(
            text=f"reply to {step} {words}",
            finish="stop",
            usage=Usage(prompt=60, completion=40, cached=20),
            model="model-2026",
            version="v7",
            reasoning=f"thoughts {words}",
            seconds=1.5,
            tries=2,
        ),
        cost=cost,
        templates={"form_plain": "f" * 64},
    )


def _written(task: str, number: int, method: str, outcome: Outcome) -> Evaluation:
    name = f"{task.partition('/')[2]}__round{number}"
    parent = f"{task.partition('/')[2]}__round{number - 1}" if number else ""
    origin = Origin(
        model="model", method=method, round=str(number), step=f"round {number}", parent=parent
    )
    return msgspec.structs.replace(
        evaluation(name, outcome),
        task=task,
        origin=origin,
        digest=hashlib.sha256(name.encode()).hexdigest(),
    )


def _append(database: Database, one: Evaluation) -> None:
    key = hashlib.sha256(f"{one.submission} {one.task} {one.origin.method}".encode()).hexdigest()
    database.append(key, one, f"# {one.submission}\n")
