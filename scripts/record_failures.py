"""Judges the kernels of tests/generate/recorded again, in the interpreter, and keeps what came.

    python scripts/record_failures.py

Each file holds a task, a source with a fault of its own, and the evaluation that the tests of
feedback read. Evaluations that a card made stay as they are; `null` is filled in.
"""

import json
import sys
from pathlib import Path
from typing import Any

from kernelbenchx import Evaluator, Submission
from kernelbenchx.core.record import to_plain

RECORDED = Path(__file__).resolve().parents[1] / "tests" / "generate" / "recorded"
SEED = 1
"""The same inputs every time, so that only what changed differs."""
PATIENCE_S = 5.0


def main(wanted: list[str]) -> None:
    """All of them, or those named."""
    files = [file for file in sorted(RECORDED.glob("*.json")) if _is_due(file, wanted)]
    held = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}
    submissions = [
        Submission(name=name, task=one["task"], source=one["source"]) for name, one in held.items()
    ]
    with Evaluator(device="interpreter", seed=SEED, jobs=1, time_limit_s=PATIENCE_S) as evaluator:
        for one in evaluator.map(submissions):
            print(f"{one.submission}: {type(one.outcome).__name__.lower()}")
            record: dict[str, Any] = held[one.submission] | {"evaluation": to_plain(one)}
            text = json.dumps(record, indent=1, ensure_ascii=False)
            (RECORDED / f"{one.submission}.json").write_text(text + "\n", encoding="utf-8")


def _is_due(file: Path, wanted: list[str]) -> bool:
    evaluation = json.loads(file.read_text(encoding="utf-8"))["evaluation"]
    interpreted = evaluation is None or evaluation["device"] == "interpreter"
    return interpreted and (not wanted or file.stem in wanted)


if __name__ == "__main__":
    main(sys.argv[1:])
