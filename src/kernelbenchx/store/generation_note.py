"""The settings of generation runs, as far as they distinguish two runs of one method."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from kernelbenchx.analysis.method_variants import RunVariant, variants
from kernelbenchx.core.errors import BadInput
from kernelbenchx.store.database import Database
from kernelbenchx.store.raw_records import reading

NOTE = "generation"
"""Of a run: what `kbx generate` began it with."""
_NONE = "none"
_RENAMED = {"form": "prompt", "facts": "hardware_facts"}
"""As the command line calls it."""


class _Generation(msgspec.Struct, frozen=True):
    """Of the note that `kbx generate` leaves; every version has a method and a model."""

    method: str
    model: str
    options: dict[str, Any] = {}
    prompts: dict[str, Any] = {}
    temperature: float | None = None
    max_tokens: int | None = None
    templates: dict[str, str] = {}
    evaluation: dict[str, Any] = {}


def refuse_generated(database: Database, run: str) -> None:
    """Refuse to add evaluations of files to a run that `kbx generate` began."""
    if database.read_note(NOTE):
        raise BadInput(
            f"the run {run} was started by kbx generate: choose another folder with `out`"
        )


def refuse_judged(database: Database, run: str) -> None:
    """Refuse to add model requests to a run that `kbx eval` began."""
    if not database.read_note(NOTE) and database.holds_evaluations():
        raise BadInput(f"the run {run} was started by kbx eval: choose another folder with `out`")


def names_of_methods(runs: Sequence[Path]) -> dict[str, dict[str, str]]:
    """By run and method: the name of each variant, where a method was run in several ways."""
    if len(set(runs)) < 2:
        return {}
    return variants(one for run in dict.fromkeys(runs) for one in _read_variant(run))


def _read_variant(run: Path) -> Iterator[RunVariant]:
    with reading(run) as opened:
        noted = opened.read_note(NOTE)
    try:
        made = msgspec.json.decode(noted, type=_Generation) if noted else None
    except msgspec.DecodeError:
        return  # an unknown format: it distinguishes no runs
    if made is not None:
        yield RunVariant(str(run), made.method, made.model, dict(_choices(made)))


def _choices(made: _Generation) -> Iterator[tuple[str, str]]:
    for name, value in {**made.options, **made.prompts}.items():
        yield _RENAMED.get(name, name), _format_choice(value)
    if made.temperature is not None:
        yield "temperature", _format_choice(made.temperature)
    yield "max_tokens", _format_choice(made.max_tokens)
    yield "templates", _digest(made.templates)
    yield "correct", _format_choice(made.evaluation.get("correct"))


def _format_choice(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ",".join(map(str, value))
    return _NONE if value in (None, "") else str(value)


def _digest(templates: dict[str, str]) -> str:
    """Short: it says that the words of prompts differ, not how."""
    said = msgspec.json.encode(sorted(templates.items()))
    return hashlib.sha256(said).hexdigest()[:6]
