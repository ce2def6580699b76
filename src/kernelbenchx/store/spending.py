"""Runs with a model: their requests, and the attempts that came of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace

from kernelbenchx.analysis.apply_standard import judge_by
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.attempt_filter import ALL, AttemptFilter
from kernelbenchx.analysis.model_request import ModelRequest
from kernelbenchx.analysis.spending import Spending
from kernelbenchx.core.standards import Standard
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.exchanges import read_asked, read_lost
from kernelbenchx.store.generation_note import names_of_methods

_Named = TypeVar("_Named", Attempt, ModelRequest)


def read_spending(
    runs: Sequence[Path],
    attempts: Sequence[Attempt],
    wanted: AttemptFilter = ALL,
    standard: Standard = Standard.STRICT,
) -> list[Spending]:
    """One for each run with a transcript; `attempts` are those of all runs together.

    Of several runs each is read again: what two of them hold alike is left out of one when they
    are read together, and both were paid for.
    """
    names, found = names_of_methods(runs), []
    for run in dict.fromkeys(runs):
        asked, lost = read_asked(run), read_lost(run)
        if asked or lost:
            called = names.get(str(run), {})
            own = (
                attempts
                if len(runs) == 1
                else _rename_methods(judge_by(read_attempts([run]), standard), called)
            )
            requests = [
                one for one in _rename_methods(asked, called) if wanted.includes_request(one)
            ]
            own = [one for one in own if wanted.includes(one)]
            found.append(Spending(str(run), own, requests, lost))
    return found


def _rename_methods(given: Sequence[_Named], names: Mapping[str, str]) -> Sequence[_Named]:
    """By the names that methods have beside each other."""
    if not names:
        return given
    return [replace(one, method=names.get(one.method, one.method)) for one in given]
