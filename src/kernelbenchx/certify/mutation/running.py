"""Runs the mutants of a witness, each until a case fails, seed after seed."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from kernelbenchx import catalog
from kernelbenchx.catalog.certificates import kept_at
from kernelbenchx.catalog.digests import mutation_digest
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.certify.catching import Catch
from kernelbenchx.certify.mutation.engine import SourceMutant, mutants
from kernelbenchx.certify.mutation.results import FOLDER, MutantTrial, ResultsFile
from kernelbenchx.certify.mutation.summary import (
    CORNER_SEEDS,
    MutationSummary,
    known_equivalents,
    summarize,
)
from kernelbenchx.core.submission import Submission

ALL_SEEDS = 20
Catching = Callable[[Submission], Catch | None]


def results_folder(name: str) -> Path:
    """Where the trials of a task are kept: beside its certificate, or in the catalogue."""
    return kept_at(name).parent / "mutation_results" if catalog.is_added(name) else FOLDER


def load_summary(name: str, folder: Path = FOLDER) -> MutationSummary:
    """What earlier runs found; nothing is run."""
    source = witness_source(name)
    results = ResultsFile.load(folder, name, mutation_digest(name))
    return summarize(name, source, mutants(source), results)


def run_mutants(
    name: str,
    catch_with: Callable[[int], Catching],
    seeds: int,
    folder: Path = FOLDER,
    made: Sequence[SourceMutant] | None = None,
) -> MutationSummary:
    """Every mutant under the seeds 1 to `seeds`; trials that are known are not repeated.

    `catch_with` gives what runs mutants on the cases of a seed.
    """
    source = witness_source(name)
    made = mutants(source) if made is None else made
    results = ResultsFile.load(folder, name, mutation_digest(name))
    results.begin()

    catcher = cache(catch_with)
    for mutant in made:
        if mutant.description in known_equivalents(name, source):
            continue
        for seed in range(1, seeds + 1):
            if _is_settled(results, mutant.description):
                break
            if (mutant.description, seed) not in results.trials:
                results.add(_run_mutant(name, mutant, seed, catcher(seed)))
    return summarize(name, source, made, results)


def _is_settled(results: ResultsFile, description: str) -> bool:
    """Whether corners have killed it under enough seeds to count for all."""
    first = [results.trials.get((description, seed)) for seed in range(1, CORNER_SEEDS + 1)]
    return all(one is not None and one.by and one.corner for one in first)


def _run_mutant(name: str, mutant: SourceMutant, seed: int, catch: Catching) -> MutantTrial:
    caught = catch(Submission(name="mutant", task=name, source=mutant.source))
    if caught is None:
        return MutantTrial(mutant.description, seed, "")
    return MutantTrial(mutant.description, seed, caught.by, caught.corner)
