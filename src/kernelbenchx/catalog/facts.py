"""Facts of a task, from an index beside the catalogue: nothing is loaded, so no torch."""

from functools import cache
from pathlib import Path

import msgspec

from kernelbenchx import catalog
from kernelbenchx.catalog.digests import task_digest
from kernelbenchx.catalog.structure import Structure
from kernelbenchx.core.errors import BrokenTask
from kernelbenchx.core.record import Record, from_json

INDEX = Path(__file__).parent / "index.json"
"""Written by `make index`."""


class Parameter(Record, frozen=True, kw_only=True):
    """One parameter of the entry."""

    name: str
    kind: str
    """As `inspect` spells it: `POSITIONAL_OR_KEYWORD`, `VAR_POSITIONAL`, `KEYWORD_ONLY`, …"""
    has_default: bool


class ContractFacts(Record, frozen=True, kw_only=True):
    """A contract: its kind, the options that differ from their defaults, and its parts."""

    kind: str
    options: dict[str, str] = msgspec.field(default_factory=dict)
    parts: tuple["ContractFacts", ...] = ()


class Facts(Record, frozen=True, kw_only=True):
    """What can be said of a task without loading it."""

    name: str
    category: str
    published: str
    """The published spelling of the category."""
    entry: str
    form: str
    signature: str
    parameters: tuple[Parameter, ...]
    description: str
    dtypes: tuple[str, ...]
    difficulty: int
    contract: ContractFacts
    audit: tuple[str, ...] = ()
    covered: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """For each code of `audit` the names of the mutants that stand for it."""
    scopes: tuple[str, ...] = ()
    """Those that its calls ask about, as the task declares them; timed sizes are `scale`."""
    writes: tuple[str, ...] = ()
    inert: tuple[str, ...] = ()
    randomness: str = "none"
    data_movement: bool = False
    languages: tuple[str, ...] = ("triton",)
    structure: Structure
    """Counts over the reference."""
    digest: str
    """Of the files that these facts were made from."""


@cache
def facts(name: str) -> Facts:
    """Facts of `category/name`, from the index.

    The task is loaded, and torch with it, if its file has changed since the index was written.
    """
    digest = task_digest(name)
    known = _index().get(name)
    if known is not None and known.digest == digest:
        return known
    from kernelbenchx.catalog.index import describe

    try:
        return describe(name)
    except ModuleNotFoundError as error:
        raise BrokenTask(
            f"{catalog.path_of(name)}: the index is out of date, run `make index` ({error})"
        ) from error


@cache
def _index() -> dict[str, Facts]:
    """Empty where it cannot be read, as in the middle of a merge: then tasks are loaded."""
    try:
        return from_json(INDEX.read_bytes(), dict[str, Facts])
    except (OSError, msgspec.MsgspecError):
        return {}
