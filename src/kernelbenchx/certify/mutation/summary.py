"""The kill rate of a task's mutants over seeds, and the mutants that live."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from kernelbenchx.certify.mutation.engine import SourceMutant
from kernelbenchx.certify.mutation.results import ResultsFile
from kernelbenchx.core.record import Record

EQUIVALENTS = Path(__file__).parent / "equivalents.json"
"""By task: the witness's digest, and for each mutant that changes no answer the reason."""
LEAST_RATE = 0.85
"""A certified task kills so large a share of its mutants in a run, as a mean over seeds."""
CORNER_SEEDS = 3
"""A mutant that corners kill under so many seeds counts as killed under all."""


class Survivor(Record, frozen=True, kw_only=True):
    """A mutant that lives under some seeds."""

    mutant: str
    killed: int
    seeds: int


class MutationSummary(Record, frozen=True, kw_only=True):
    """Of one task."""

    task: str
    mutants: int
    """Those that were tried, equivalents left out."""
    rate: float
    """Share that one run kills, as a mean over the seeds."""
    seeds: int
    """How many seeds the mutants have that no corner kills."""
    survivors: tuple[Survivor, ...]
    equivalents: Mapping[str, str]
    """The mutants that change no answer, each with its reason."""

    @property
    def problem(self) -> str:
        """Why the task is not certified by this; empty if it is."""
        if not self.mutants:
            return "automatic mutants were not run: add --mutate"
        if self.rate < LEAST_RATE:
            return f"{self.rate:.0%} of automatic mutants killed, {LEAST_RATE:.0%} are asked for"
        return ""


def summarize(
    task: str, source: str, made: Sequence[SourceMutant], results: ResultsFile
) -> MutationSummary:
    """From the trials of the mutants that exist."""
    equivalents = known_equivalents(task, source)
    shares, survivors, most = [], [], 0
    for mutant in made:
        trials = [one for one in results.trials.values() if one.mutant == mutant.description]
        if mutant.description in equivalents or not trials:
            continue
        killed, seeds = sum(bool(one.by) for one in trials), len(trials)
        shares.append(killed / seeds)
        if killed < seeds:
            survivors.append(Survivor(mutant=mutant.description, killed=killed, seeds=seeds))
        most = max(most, seeds)
    return MutationSummary(
        task=task,
        mutants=len(shares),
        rate=sum(shares) / len(shares) if shares else 0.0,
        seeds=most,
        survivors=tuple(survivors),
        equivalents=equivalents,
    )


def known_equivalents(task: str, source: str, path: Path = EQUIVALENTS) -> dict[str, str]:
    """Reasons by description, written for this very witness; none for an older one."""
    known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    entry = known.get(task, {})
    if entry.get("witness") != witness_digest(source):
        return {}
    return dict(entry["mutants"])


def witness_digest(source: str) -> str:
    """What entries are keyed by: line numbers of another witness name other mutants."""
    return hashlib.sha256(source.encode()).hexdigest()[:16]
