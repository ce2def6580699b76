"""Writes certificates beside the catalogue, where `kbx tasks` reads them without torch."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from kernelbenchx.core.grades import Grade


class CertificateLike(Protocol):
    """What is kept of a certificate."""

    @property
    def task(self) -> str: ...

    @property
    def digest(self) -> str: ...

    @property
    def certified(self) -> bool: ...

    @property
    def grade(self) -> str: ...

    def count(self, *kinds: str) -> int: ...


def keep(path: Path, found: Iterable[CertificateLike]) -> None:
    """Replace what is known of these tasks; others stay as they are."""
    known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    for one in found:
        known.pop(one.task, None)
        if one.certified:
            known[one.task] = {
                "digest": one.digest,
                "mutants": one.count("mutant", "patch"),
                "sabotages": one.count("sabotage"),
            }
            if one.grade != Grade.CERTIFIED:
                known[one.task]["grade"] = one.grade
    text = json.dumps(dict(sorted(known.items())), indent=1) + "\n"
    fresh = path.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)
