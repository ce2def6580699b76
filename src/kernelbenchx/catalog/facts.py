"""Facts of a task, from an index beside the catalogue: nothing is loaded, so no torch."""

from functools import cache
from pathlib import Path

import msgspec

from kernelbenchx import catalog
from kernelbenchx.catalog.digests import task_digest
from kernelbenchx.catalog.precisions import at_precision, split
from kernelbenchx.catalog.source_structure import Structure
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


class WeightFacts(Record, frozen=True, kw_only=True):
    """One weight or buffer of a module."""

    name: str
    """As in `state_dict`."""
    shape: str
    """In terms of the constructor's arguments where that is possible."""


class PublishedCall(Record, frozen=True, kw_only=True):
    """How a module is made and called at the published size."""

    init: tuple[str, ...]
    """Arguments of the constructor, as Python writes them."""
    inputs: tuple[str, ...]
    """Arguments of `forward`: `x: float32 (1024, 8192)`."""


class ProblemFacts(Record, frozen=True, kw_only=True):
    """What only a KernelBench problem has."""

    level: int
    number: int
    """KernelBench's number within the level."""
    unsound: str
    """Why the problem as published tells no right kernel from a wrong one; empty where it does."""
    precision: str
    constructor: str
    """Its signature as it is written."""
    parameters: tuple[Parameter, ...]
    """Of the constructor, without `self`."""
    weights: tuple[WeightFacts, ...]
    published: PublishedCall | None = None


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
    problem: ProblemFacts | None = None
    """None for tasks that are no KernelBench problem."""

    @property
    def unsound(self) -> str:
        """Why verdicts on the task say nothing of a kernel; empty where they do."""
        return self.problem.unsound if self.problem is not None else ""


@cache
def facts(name: str) -> Facts:
    """Facts of `category/name`, from the index; those of a precision follow from them.

    The task is loaded, and torch with it, if its file has changed since the index was written.
    Those of a published problem come from its file and its audit.
    """
    plain, precision = split(name)
    if plain != name:
        known = facts(plain)
        if known.problem is None:
            raise BrokenTask(f"{name}: a task that is no KernelBench problem has no precisions")
        return at_precision(known, precision)
    return _plain_facts(name)


def _plain_facts(name: str) -> Facts:
    digest = task_digest(name)
    published = catalog.find_published(name)
    if published is not None:
        from kernelbenchx.catalog.imported_tasks import imported_facts

        return imported_facts(published, digest)
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
