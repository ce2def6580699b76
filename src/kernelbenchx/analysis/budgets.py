"""What a budget buys: the share of tasks that is solved with so much for each."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from kernelbenchx.analysis.cost_groups import UNITS, UNTIL, Group
from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import Clusters, Floats
from kernelbenchx.analysis.table import Table, Value, columns

STEPS = (1.0, 2.0, 5.0)


def curve(groups: Sequence[Group]) -> Table:
    """For each GPU, unit and method, at round budgets that all methods of a GPU share."""
    return Table(
        name="cost_curve",
        title="Solved within a budget",
        about=(
            UNTIL + "Share of tasks with a correct kernel after so much for each, with Wilson's "
            "interval, tasks being the draws. A method that ended below the budget without a "
            "correct kernel counts as not solved; how many did is said beside: there more of the "
            "budget might have helped. A curve ends where its method spent no more."
        ),
        columns=columns(
            ("gpu", "GPU"),
            ("unit", "budget in"),
            ("method", "method"),
            ("budget", "budget", "number"),
            ("tasks", "tasks", "count"),
            ("tries", "tries", "count"),
            ("ended", "ended below", "count"),
        )
        + interval("solved", "solved", "percent"),
        rows=tuple(
            row
            for card in dict.fromkeys(one.card for one in groups)
            for unit in UNITS
            for row in _curve_rows([one for one in groups if one.card == card], unit)
        ),
        notes=without_price(groups),
    )


def _curve_rows(groups: Sequence[Group], unit: str) -> Iterator[tuple[Value, ...]]:
    of = UNITS[unit]
    spent = [one.amounts(of) for one in groups]
    until = [one.amounts(of, until_solved=True) for one in groups]
    steps = budgets(np.concatenate([*spent, *until]) if groups else np.empty(0))
    for group, total, needed in zip(groups, spent, until, strict=True):
        known = np.isfinite(total)
        if not known.any():
            continue
        clusters = Clusters(group.tasks[known])
        for budget in steps:
            within = needed[known] <= budget
            ended = ~within & (total[known] < budget)
            found = clusters.shares(within)
            head = group.card, unit, group.name, budget, int(clusters.tasks[0])
            yield *head, int(known.sum()), int(ended.sum()), *ends(found, 0)
            if budget >= total[known].max():
                break


def without_price(groups: Sequence[Group]) -> tuple[str, ...]:
    """A note on requests without a price, which dollar columns leave out."""
    tries = [one for group in groups for one in group.tries]
    unknown = sum(one.totals.cost is None for one in tries)
    if not unknown or unknown == len(tries):
        return ()
    return (f"{unknown} of {len(tries)} tasks without a price: not in what is said of dollars.",)


def budgets(amounts: Floats) -> list[float]:
    """1, 2, 5, 10, ...: from the largest that buys nothing to the first that buys everything."""
    known = amounts[np.isfinite(amounts) & (amounts > 0)]
    if not known.size:
        return []
    least, most = float(known.min()), float(known.max())
    powers = range(math.floor(math.log10(least)) - 1, math.ceil(math.log10(most)) + 2)
    # Written as words first: 10 ** -3 times 5 is not the number that 0.005 is.
    every = [float(f"{step:g}e{power}") for power in powers for step in STEPS]
    first = max(one for one in every if one < least)
    last = min(one for one in every if one >= most)
    return [one for one in every if first <= one <= last]
