"""Cached audits of published problems, per user: each takes seconds."""

import hashlib
import os
from functools import cache
from pathlib import Path

import msgspec

from kernelbenchx.catalog.digests import PACKAGE
from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.cache import cache_folder, own_folder
from kernelbenchx.core.record import Record, from_json, to_json


class CachedAudit(Record, frozen=True, kw_only=True):
    """One problem at reduced sizes: what a trivial answer passes, or why it cannot be judged."""

    failed: str = ""
    """Why nothing can be drawn; empty where it can."""
    sizes: dict[str, int | tuple[int, ...]] = msgspec.field(default_factory=dict)
    """Constants that differ from the published ones."""
    values: tuple[str, ...] = ()
    """Kinds of inputs whose answers are finite: normal, wide, published."""
    random: bool = False
    """Whether two equal calls differ."""
    constants: tuple[str, ...] = ()
    """Parameters that are constants in a fresh module."""
    weights: dict[str, tuple[int, ...]] = msgspec.field(default_factory=dict)
    ours: tuple[str, ...] = ()
    """Trivial answers that our budget accepts in all cases."""
    published_1e_2: tuple[str, ...] = ()
    """Trivial answers that pass published inputs at a tolerance of 1e-2."""
    published_1e_4: tuple[str, ...] = ()
    honest: float = 0.0
    """The largest error of torch's own float32 over the budget; above 1 it would fail."""
    seconds: float = 0.0

    @property
    def unsound(self) -> str:
        """Why verdicts on the problem say nothing of a kernel; empty where they do."""
        if self.random:
            return "its forward is random: equal calls differ"
        if self.ours:
            return f"a trivial answer passes: {', '.join(self.ours)}"
        if self.honest > 1:
            return f"torch's own float32 fails: {self.honest:.2g} times the budget"
        return ""


def load_audit(text: str) -> CachedAudit | None:
    """Of a file with this text, as everything that judges it stands now."""
    folder = _folder()
    if folder is None:
        return None
    try:
        return from_json((folder / f"{_key(text)}.json").read_bytes(), CachedAudit)
    except (OSError, msgspec.MsgspecError):
        return None


def store_audit(text: str, found: CachedAudit) -> None:
    """Replace what was known; where nothing can be kept, nothing is."""
    folder = _folder()
    if folder is None:
        return
    path = folder / f"{_key(text)}.json"
    fresh = path.with_suffix(f".{os.getpid()}.new")
    fresh.write_bytes(to_json(found))
    fresh.replace(path)
    facts.cache_clear()  # they say what an audit found


def _folder() -> Path | None:
    return own_folder(cache_folder(os.environ) / "problem_audits")


def _key(text: str) -> str:
    return hashlib.sha256(f"{_judging()}\n{text}".encode()).hexdigest()


@cache
def _judging() -> str:
    """What an audit depends on beside the file."""
    files = [PACKAGE / "problem_worker" / f"{name}.py" for name in _WORKER]
    files.append(PACKAGE / "evaluate" / "problem_audit.py")
    files += (PACKAGE / "spec" / f"{name}.py" for name in _SPEC)
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.read_bytes())
    return digest.hexdigest()


_WORKER = ("__init__", "call_cost", "draw_call", "problem_source", "serve", "size_reduction")
"""What is timed at published sizes is no part of an audit."""
_SPEC = (
    "modules", "inputs", "intermediates", "rounded_steps", "textbook_formulas", "close",
    "element_comparison",
)  # fmt: skip
"""Modules that draw calls, move steps and compare."""
