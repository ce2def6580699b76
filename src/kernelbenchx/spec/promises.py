"""Sentences of a statement that tests keep: where each is tried, and a wrong answer to it."""

from dataclasses import dataclass

from kernelbenchx.spec.mutants import Mutant, Patch


@dataclass(frozen=True)
class Promise:
    """One or two sentences of the statement, the axis that tries them, and a wrong answer.

    `kbx certify` fails where the options are never called or the mutant lives.
    """

    text: str
    axis: str
    options: tuple[str, ...]
    """Of that axis: those that try the promise."""
    mutant: Mutant | Patch
