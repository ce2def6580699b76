"""Runs and sites that several tests of the report need."""

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

from kernelbenchx.analysis.attempt import Attempt, Speed
from kernelbenchx.core.grades import Grade
from many_runs import write_run

SPEED = Speed(speedup=1.5, low=1.4, high=1.6, speed_class="faster")


def attempt(key: str = "k" * 64, **changes: Any) -> Attempt:
    """Correct, timed, and as ordinary as can be."""
    known: dict[str, Any] = {
        "run": "runs/one",
        "key": key,
        "submission": "one",
        "task": "activation/relu",
        "category": "Activation",
        "method": "agent",
        "model": "",
        "round": 0,
        "sample": 0,
        "digest": "d" * 64,
        "difficulty": 1,
        "dtypes": ("float32",),
        "device": "cuda",
        "gpu": "NVIDIA H200",
        "outcome": "correct",
        "reason": "",
        "stage": "perf",
        "composition": "pure",
        "provisional": False,
        "isolation": "L3",
        "grade": Grade.CERTIFIED,
        "performance": "timed",
        "tier": "replay",
        "eager": SPEED,
        "score": 0.8,
    }
    return Attempt(**(known | changes))


def small_run(folder: Path) -> Path:
    """Two methods, two rounds, twelve tasks: 48 evaluations."""
    write_run(folder, tasks=12, methods=2, rounds=2)
    return folder


def unpacked(path: Path) -> Any:
    """What a data file hands over."""
    found = re.fullmatch(
        r'kbx\.put\("([a-z]+(?:/\w+)?)","([A-Za-z0-9+/=]+)"\);\n', path.read_text()
    )
    assert found, path
    return json.loads(zlib.decompress(base64.b64decode(found[2]), 31))
