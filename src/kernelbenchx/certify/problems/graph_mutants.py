"""Mutants of a problem's graph: which of them change an answer, and which cases tell."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from kernelbenchx.certify.certificate import Kill
from kernelbenchx.certify.problems.judged_case import Answer, JudgedCase, values_of


class WrongModule(Protocol):
    """`spec.graph_mutants.GraphMutant`, or anything like it."""

    @property
    def name(self) -> str: ...

    def mode(self) -> AbstractContextManager[None]: ...


def kill_graph_mutant(mutant: WrongModule, cases: Sequence[JudgedCase]) -> Kill | None:
    """Judge it case by case until one rejects it; None if no answer of any case changes."""
    effective = False
    for case in cases:
        answer = _wrong_answer(mutant, case)
        if answer is None or case.is_right(answer):
            continue
        effective = True
        if not case.verdict(case.round_answer(answer)).ok:
            return Kill(name=mutant.name, kind="mutant", killed=True, by=case.name)
    return Kill(name=mutant.name, kind="mutant", killed=False) if effective else None


def _wrong_answer(mutant: WrongModule, case: JudgedCase) -> Answer | None:
    """In float64, where nothing but the change moves it; None where it cannot be computed."""
    try:
        with mutant.mode():
            return values_of(case.task.exact(case.drawn.call).leaves)
    except (RuntimeError, ValueError, TypeError, IndexError):
        return None  # a mutant that cannot be run on a case shows nothing there
