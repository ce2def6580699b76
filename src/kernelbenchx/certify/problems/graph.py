"""Mutants of a problem's graph: which of them change an answer, and which cases tell."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

import torch

from kernelbenchx.certify.certificate import Kill
from kernelbenchx.certify.problems.judged_case import Answer, JudgedCase, values_of


class WrongModule(Protocol):
    """`spec.graph_mutants.GraphMutant`, or anything like it."""

    @property
    def name(self) -> str: ...

    def mode(self) -> AbstractContextManager[None]: ...


def kill_graph_mutant(mutant: WrongModule, cases: Sequence[JudgedCase]) -> Kill | None:
    """Judge it case by case until one rejects it; None if it changes no answer of any case."""
    effective = False
    for case in cases:
        answer = _wrong_answer(mutant, case)
        if answer is None or _is_right(answer, case.exact):
            continue
        effective = True
        if not case.verdict(case.rounded(answer)).ok:
            return Kill(name=mutant.name, kind="mutant", killed=True, by=case.name)
    return Kill(name=mutant.name, kind="mutant", killed=False) if effective else None


def _wrong_answer(mutant: WrongModule, case: JudgedCase) -> Answer | None:
    """In float64, where nothing but the change moves it; None where it cannot be computed."""
    try:
        with mutant.mode():
            return values_of(case.task.exact(case.drawn.call).leaves)
    except (RuntimeError, ValueError, TypeError, IndexError):
        return None  # a mutant that cannot be run on a case shows nothing there


def _is_right(answer: Answer, exact: Answer) -> bool:
    """Whether it is the right answer bit for bit; NaN equals NaN."""
    return len(answer) == len(exact) and all(map(_equal, answer, exact))


def _equal(one: torch.Tensor, two: torch.Tensor) -> bool:
    return one.dtype == two.dtype and bool(
        torch.equal(torch.nan_to_num(one), torch.nan_to_num(two))
        and torch.equal(torch.isnan(one), torch.isnan(two))
    )
