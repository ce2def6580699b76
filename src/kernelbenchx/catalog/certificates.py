"""Certificates as shipped: which tasks were shown to be solvable and to tell right from wrong."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from kernelbenchx import catalog
from kernelbenchx.catalog.digests import certificate_digest

PATH = Path(__file__).parent / "certificates.json"


def kept_at(name: str) -> Path:
    """The file with the certificate of a task: that of its folder, or the catalogue's."""
    if catalog.is_added(name):
        return catalog.path_of(name).parents[2] / "certificates.json"
    return PATH


@cache
def _kept(path: Path) -> dict[str, dict[str, Any]]:
    if not path.is_file():
        return {}
    loaded: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def standing(name: str) -> bool:
    """Whether the task and its witness, as their files stand now, are certified."""
    certificate = _kept(kept_at(name)).get(name)
    return certificate is not None and certificate["digest"] == certificate_digest(name)
