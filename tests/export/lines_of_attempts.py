"""Runs with one line of attempts."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from kernelbenchx.core.outcome import (
    Broken,
    Correct,
    Finding,
    Outcome,
    Reason,
    Rejected,
    Stage,
    Wrong,
)
from kernelbenchx.core.performance import Performance
from kernelbenchx.core.submission import Origin
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation, on_a_card, timed

RIGHT = Correct(cases=4, worst=0.5)
FOUND = tuple(Finding(rule=f"rule{at}", line=at, why="w" * 900) for at in range(20))
ROUNDS: tuple[tuple[Outcome, Performance | None, str], ...] = (
    (Rejected(findings=FOUND), None, "first\nkept\n"),
    (Broken(stage=Stage.CALL, reason=Reason.COMPILE_ERROR, detail="no", line=2), None, "broken\n"),
    (RIGHT, timed(1.0), "second\nkept\n"),
    (RIGHT, timed(2.0, baselines=("eager", "compile")), "third\nkept\n"),
    (RIGHT, timed(3.0), "third\nkept\n"),
    (RIGHT, timed(3.01), "fourth\nkept\n"),
    (Wrong(case="n=3", reason=Reason.BAD_VALUES, detail="off", pattern="a row"), None, "fifth\n"),
)


def write_line(folder: Path, rounds: Sequence[tuple[Outcome, Performance | None, str]]) -> Path:
    """A run in which one line of attempts went like this."""
    with writing(RunFolder(folder)) as database:
        for number, (outcome, performance, source) in enumerate(rounds):
            path = f"round {number}"
            origin = Origin(
                model="m|<b>", method="refine", round=str(number), step=path, parent=_parent(number)
            )
            made = msgspec.structs.replace(
                on_a_card(evaluation(f"relu__round{number}", outcome, performance)),
                origin=origin,
                digest=hashlib.sha256(source.encode()).hexdigest(),
            )
            database.append(f"{number:064x}", made, source)
        database.note("generation", '{"method": "refine", "model": "m|<b>", "options": {"k": 3}}')
    return folder


def _parent(number: int) -> str:
    return f"relu__round{number - 1}" if number else ""
