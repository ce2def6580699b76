"""Runs in which a model was asked: what was asked, and what became of it."""

from collections.abc import Sequence
from pathlib import Path

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.spending import Spending
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.exchanges import read_asked


def read_spending(runs: Sequence[Path], attempts: Sequence[Attempt]) -> list[Spending]:
    """One for each run with a transcript; `attempts` are those of all runs together.

    Of several runs each is read again: what two of them hold alike is left out of one when they
    are read together, and both were paid for.
    """
    found = []
    for run in dict.fromkeys(runs):
        if asked := read_asked(run):
            own = attempts if len(runs) == 1 else read_attempts([run])
            found.append(Spending(str(run), own, asked))
    return found
