"""Kernels with a fault each and what became of them; `scripts/record_failures.py` made them."""

import json
from dataclasses import dataclass
from pathlib import Path

import msgspec

from kernelbenchx.catalog.statement import Statement, statement
from kernelbenchx.core.evaluation import Evaluation

FOLDER = Path(__file__).parent / "recorded"
NAMES = tuple(sorted(file.stem for file in FOLDER.glob("*.json")))


@dataclass(frozen=True)
class Recorded:
    """A source, its task and its evaluation."""

    source: str
    statement: Statement
    evaluation: Evaluation


def recorded(name: str) -> Recorded:
    held = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    evaluation = msgspec.convert(held["evaluation"], Evaluation, strict=False)
    return Recorded(held["source"], statement(held["task"]), evaluation)
