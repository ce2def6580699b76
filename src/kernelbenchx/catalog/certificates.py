"""Certificates as shipped: which tasks were shown to be solvable and to tell right from wrong."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from kernelbenchx.catalog.digests import certificate_digest

PATH = Path(__file__).parent / "certificates.json"


@cache
def _shipped() -> dict[str, dict[str, Any]]:
    if not PATH.is_file():
        return {}
    loaded: dict[str, dict[str, Any]] = json.loads(PATH.read_text(encoding="utf-8"))
    return loaded


def standing(name: str) -> bool:
    """Whether the task and its witness, as their files stand now, are certified."""
    certificate = _shipped().get(name)
    return certificate is not None and certificate["digest"] == certificate_digest(name)
