"""Near misses as data: small edits of witnesses, in `suite/<category>.toml`."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.errors import BrokenTask

SUITE = Path(__file__).parent / "suite"


@dataclass(frozen=True)
class NearMiss:
    """A witness that breaks one clause of the statement."""

    task: str
    clause: str
    """What the statement says, and how it is overlooked."""
    edits: tuple[tuple[str, str], ...]
    """Old and new text; each old one occurs once in the witness."""

    def source(self) -> str:
        """The witness with the edits."""
        found = witness_source(self.task)
        for old, new in self.edits:
            if found.count(old) != 1:
                raise BrokenTask(
                    f"near miss {self.clause!r} of {self.task}: "
                    f"{old!r} occurs {found.count(old)} times in the witness"
                )
            found = found.replace(old, new)
        return found


def near_misses(task: str, suite: Path = SUITE) -> tuple[NearMiss, ...]:
    """Those of a task, in the order of their file."""
    category, name = task.split("/")
    path = suite / f"{category}.toml"
    known = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return tuple(
        NearMiss(task, str(entry["clause"]), tuple(_edits(entry))) for entry in known.get(name, [])
    )


def _edits(entry: dict[str, object]) -> Iterator[tuple[str, str]]:
    if "edits" in entry:
        edits = entry["edits"]
        assert isinstance(edits, list)
        yield from ((old, new) for old, new in edits)
    else:
        yield str(entry["old"]), str(entry["new"])
