"""How often tables beside chance call something beyond it, with and without an effect.

    python benchmarks/chance_simulation.py [--runs 200] [--draws 300] [--seed 1]

Simulated results with a known truth: the function tasks of the catalogue, three methods, one
attempt each. Without an effect every task has its own rate of success and its own mixture of
causes, drawn without regard to category, method or facts. With one, half of the failures of a
category have one cause and half of those of a method another; a category is never solved; tasks
whose programs must cooperate succeed a quarter as often. Printed is the share of results in which
something of a kind has an adjusted p, or for facts a p, of 0.05 or less.
"""

import argparse
from collections.abc import Callable, Iterator

import numpy as np
from numpy.random import Generator

from kernelbenchx import catalog
from kernelbenchx.analysis import cause_permutations, fact_models, unsolved
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.table import Table
from kernelbenchx.catalog.task_facts import task_facts
from kernelbenchx.core.grades import Grade

NAMES = tuple(name for name in catalog.names() if not name.startswith("level"))
METHODS = ("a", "b", "c")
REASONS = ("timeout", "compile_error", "crash", "out_of_bounds", "memory")
HARD = "math"
BEYOND = 0.05


def attempt(task: str, method: str, outcome: str, reason: str) -> Attempt:
    """One on a GPU, without times."""
    named = f"{task} {method}"
    return Attempt(
        run="run", key=named, submission=named, task=task, category=task.partition("/")[0],
        method=method, model="", round=0, sample=0, digest=named, difficulty=1,
        dtypes=("float32",), device="cuda", gpu="card", outcome=outcome, reason=reason,
        stage="exe", composition="pure", provisional=False, isolation="L3",
        grade=Grade.CERTIFIED,
    )  # fmt: skip


def failures(rng: Generator, *, effect: bool) -> Iterator[Attempt]:
    """Attempts that all fail, each for a cause of its task's mixture."""
    for task in NAMES:
        mixture = rng.dirichlet(np.ones(len(REASONS)))
        for method in METHODS:
            reason = REASONS[rng.choice(len(REASONS), p=mixture)]
            if effect and rng.random() < 0.5:
                reason = REASONS[0] if task.startswith(HARD) else reason
                reason = REASONS[1] if method == METHODS[0] else reason
            yield attempt(task, method, "broken", reason)


def results(rng: Generator, *, never: str = "-", cooperating: float = 1.0) -> Iterator[Attempt]:
    """Attempts that succeed at the rate of their task; `cooperating` is a factor of that rate where
    programs must cooperate."""
    for task in NAMES:
        rate, known = rng.beta(1, 1), task_facts(task)
        if known is not None and known.cooperation != "none":
            rate *= cooperating
        for method in METHODS:
            right = rng.random() < rate and not task.startswith(never)
            outcome, reason = ("correct", "") if right else ("wrong", "bad_values")
            yield attempt(task, method, outcome, reason)


def any_beyond(table: Table, key: str, **wanted: str) -> bool:
    """Whether a row with these words has so small a p."""
    rows = [row for row in table.records() if all(row[name] == wanted[name] for name in wanted)]
    return any(isinstance(row[key], float) and row[key] <= BEYOND for row in rows)  # type: ignore[operator]


def looked_at(rng: Generator, draws: int, *, effect: bool) -> dict[str, bool]:
    """What one simulated result is called."""
    (causes,) = cause_permutations.tables(list(failures(rng, effect=effect)))
    lost = list(results(rng, never=HARD if effect else "-"))
    ended = list(results(rng, cooperating=0.25 if effect else 1.0))
    (facts,) = fact_models.tables(ended, by=("cooperation",), replicates=draws)
    own = {"outcome": "correct", "factor": "cooperation"}
    return {
        "causes by category": any_beyond(causes, "adjusted", by="category"),
        "causes by method": any_beyond(causes, "adjusted", by="method"),
        "unsolved by category": any_beyond(unsolved.tables(lost)[0], "adjusted"),
        "cooperation, alone": any_beyond(facts, "p", **own),
        "cooperation, within category": any_beyond(facts, "beyond_p", **own),
    }


def shares(runs: int, draws: int, seed: int, *, effect: bool) -> dict[str, float]:
    """How often each kind is called beyond chance."""
    found = [
        looked_at(np.random.default_rng((seed, number)), draws, effect=effect)
        for number in range(runs)
    ]
    return {name: sum(one[name] for one in found) / runs for name in found[0]}


def main(tell: Callable[[str], None] = print) -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--draws", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    cause_permutations.DRAWS = given.draws
    tell(f"{given.runs} results of each kind, {given.draws} draws, seed {given.seed}")
    none, planted = (
        shares(given.runs, given.draws, given.seed, effect=effect) for effect in (False, True)
    )
    tell("| what | called beyond chance without an effect | with one |")
    tell("|---|---|---|")
    for name in none:
        tell(f"| {name} | {none[name]:.1%} | {planted[name]:.1%} |")


if __name__ == "__main__":
    main()
