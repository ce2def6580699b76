"""Certificates as shipped: which tasks were shown to be solvable and to tell right from wrong."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from kernelbenchx import catalog
from kernelbenchx.catalog.digests import certificate_digest
from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.grades import Grade

PATH = Path(__file__).parent / "certificates.json"


def kept_at(name: str) -> Path:
    """The file with the certificate of a task: that of its folder, or the catalogue's."""
    if catalog.is_added(name):
        return catalog.path_of(name).parents[2] / "certificates.json"
    return PATH


@cache
def _load_certificates(path: Path) -> dict[str, dict[str, Any]]:
    if not path.is_file():
        return {}
    loaded: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def standing(name: str) -> bool:
    """Whether the task and its witness, as their files stand now, are certified."""
    return grade_of(name).certified


def wrong_answers(name: str) -> int:
    """How many wrong answers the certificate tried: mutants, graph mutants, trivial answers."""
    found = _load_certificates(kept_at(name)).get(name, {})
    return int(found.get("mutants", 0)) + int(found.get("sabotages", 0))


def grade_of(name: str) -> Grade:
    """What was shown of a task as its files stand now; each precision has its own certificate."""
    if facts(name).unsound:
        return Grade.UNSOUND
    if catalog.find_published(name) is not None:
        return Grade.IMPORTED
    certificate = _load_certificates(kept_at(name)).get(name)
    if certificate is None or certificate["digest"] != certificate_digest(name):
        return Grade.IMPORTED
    return Grade(certificate.get("grade", Grade.CERTIFIED))
