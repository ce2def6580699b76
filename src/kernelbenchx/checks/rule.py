"""The input and the output of a rule."""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Protocol

from kernelbenchx.checks.constructors import Constructors
from kernelbenchx.checks.reachability import Reach, reach
from kernelbenchx.checks.source import Source
from kernelbenchx.core.argument_binding import AS_IT_IS, EntryBinding
from kernelbenchx.core.outcome import Composition, Finding
from kernelbenchx.core.record import Record


class ParameterKind(StrEnum):
    """How a parameter may be given."""

    POSITIONAL_ONLY = "positional_only"
    POSITIONAL_OR_KEYWORD = "positional_or_keyword"
    VAR_POSITIONAL = "var_positional"
    KEYWORD_ONLY = "keyword_only"
    VAR_KEYWORD = "var_keyword"


@dataclass(frozen=True)
class SignatureParameter:
    """One parameter of the documented signature."""

    name: str
    kind: ParameterKind = ParameterKind.POSITIONAL_OR_KEYWORD
    has_default: bool = False
    default: str = ""
    """As Python writes it."""


class Form(StrEnum):
    """What a task asks for: a function, or a class with seeded parameters."""

    FUNCTION = "function"
    MODULE = "module"


class Randomness(StrEnum):
    """The source of randomness that a task permits."""

    NONE = "none"
    RANDINT = "randint"
    """Exactly one `torch.randint` on the host gives the seed."""
    GENERATOR = "generator"
    """As `RANDINT`, drawn from the `generator` of the signature where one is given."""


@dataclass(frozen=True)
class Expectation:
    """What the statement of a task promises about a submission's form."""

    entries: tuple[str, ...]
    """Accepted names, best first."""
    parameters: tuple[SignatureParameter, ...] = ()
    """Of the function, or of the module's `forward`."""
    init: tuple[SignatureParameter, ...] | None = None
    """Of the module's constructor; `None` leaves it unchecked."""
    other_names: tuple[Mapping[str, str], ...] = ()
    """By source, best first: what others call a parameter of the function, with the task's name
    for it; none for what the task does not have."""
    form: Form = Form.FUNCTION
    randomness: Randomness = Randomness.NONE
    language: str = "triton"


@dataclass(eq=False)
class Entry:
    """The name a submission will be called by, and what may lie under it."""

    name: str = ""
    line: int = 1
    definitions: tuple[ast.AST, ...] = ()
    """The functions or classes whose signature it has; none where the source does not say."""
    units: tuple[ast.AST, ...] = ()
    """The definitions and statements that make it; none where it is not the file's own."""
    bound: frozenset[int] = frozenset()
    """Ids of the definitions whose first argument is given by an object."""
    applied: frozenset[int] = frozenset()
    """Ids of those behind `Function.apply`, which takes no keywords."""


@dataclass(frozen=True)
class BoundEntry:
    """How the entry takes the task's arguments, and why it cannot be called."""

    binding: EntryBinding = AS_IT_IS
    findings: tuple[Finding, ...] = ()


@dataclass(eq=False)
class Subject:
    """A parsed submission with its expectation; results that rules share are kept here."""

    source: Source
    expectation: Expectation
    entry: Entry = field(default_factory=Entry)
    bound: BoundEntry = field(default_factory=BoundEntry)

    @cached_property
    def constructors(self) -> Constructors:
        """What only runs when a module is built."""
        modules = self.expectation.form == Form.MODULE
        return Constructors(self.source, modules=modules, entry=self.entry.definitions)

    @cached_property
    def reach(self) -> Reach:
        """What calling the entry may run."""
        return reach(self.source, self.entry.units)


class SourceRule(Protocol):
    """A pure function from a submission to remarks about it."""

    def __call__(self, subject: Subject) -> Iterable[Finding]:
        """All findings, in any order."""


class Report(Record, frozen=True, kw_only=True):
    """What the source alone says about a submission."""

    findings: tuple[Finding, ...]
    composition: Composition
    entry: str
    """The accepted name that the submission defines; empty if it defines none."""
    runs: str = ""
    """The text to be run: the source without imports that are never used."""
    binding: EntryBinding = AS_IT_IS
    """How it is called."""

    @property
    def fatal(self) -> tuple[Finding, ...]:
        """The findings that reject."""
        return tuple(finding for finding in self.findings if finding.fatal)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each finding once, by line; refusals before remarks on the same line."""
    once = {(f.line, not f.fatal, f.rule, f.why): f for f in findings}
    return tuple(once[key] for key in sorted(once))
