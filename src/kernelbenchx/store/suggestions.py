"""Suggestions where a path is no run: a run in it, or one with a similar name."""

import difflib
from collections.abc import Iterable
from pathlib import Path

from kernelbenchx.core.text import label
from kernelbenchx.store.packed_run import DATABASE

_STUDY = "study.json"
_PLACES = ("*", "runs/*", "runs/*/*")


def suggest_run(path: Path) -> str:
    """The end of a message; empty where there is nothing to suggest."""
    runs = sorted(one.parent for place in _PLACES for one in path.glob(f"{place}/{DATABASE}"))
    if runs:
        what = "is a study" if (path / _STUDY).is_file() else "holds runs"
        return f"; it {what}: name one of its {len(runs)} runs, such as {label(str(runs[0]), 300)}"
    return "" if path.exists() else suggest_name(path, _siblings(path))


def suggest_name(path: Path, others: Iterable[Path]) -> str:
    """Of other paths of its kind, those with a similar name."""
    known = {one.stem: label(str(one), 300) for one in others if one.suffix == path.suffix}
    near = difflib.get_close_matches(path.stem, known, n=3)
    return f"; did you mean {' or '.join(known[name] for name in near)}?" if near else ""


def _siblings(path: Path) -> list[Path]:
    try:
        return [one for one in path.parent.iterdir() if (one / DATABASE).is_file()]
    except OSError:
        return []
