"""What solved tasks cost: requests, tokens, dollars and attempts, and what a budget buys."""

from collections.abc import Sequence

import numpy as np

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.authors import author_names
from kernelbenchx.analysis.budgets import curve, without_price
from kernelbenchx.analysis.cost_groups import UNITS, UNTIL, WHO, Group, groups_of
from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import Clusters, Codes, Floats, cut, student
from kernelbenchx.analysis.spending import Spending, Try, tries_of
from kernelbenchx.analysis.table import Interval, Table, Value, aside, columns

MOST_AT_A_GLANCE = 12
_UNASKED = "These runs asked no model."
_SOLVED = (
    *columns(("solved", "solved", "count")),
    *aside(columns(("mixed", "of them only mixed", "count"))),
)


def tables(attempts: Sequence[Attempt], spending: Sequence[Spending] = ()) -> list[Table]:
    """The cost tables; all are empty where no model was asked."""
    tries = [one for run in spending for one in tries_of(run)]
    groups = groups_of(tries, author_names(attempts))
    judged = [one for group in groups if (one := group.drop_unjudged()).tries]
    return [
        _tabulate_spending(groups, sum(run.lost for run in spending)),
        _to_solve(judged),
        _per_solved(judged),
        curve(judged),
        _by_task(groups),
    ]


def _tabulate_spending(groups: Sequence[Group], lost: int) -> Table:
    return Table(
        name="cost",
        title="What was spent",
        about=(
            "All that was asked of models, also for tasks that were not solved. Tokens are those "
            "that the server counted; cached ones are part of the prompts'. A request is "
            "unanswered where the server gave no reply however often it was tried."
        ),
        columns=(
            *WHO,
            *columns(
                ("attempts", "attempts", "count"),
                ("requests", "requests", "count"),
                ("unanswered", "unanswered", "count"),
                ("prompt_tokens", "prompt tokens", "count"),
                ("cached_tokens", "cached", "count"),
                ("completion_tokens", "reply tokens", "count"),
                ("dollars", "dollars", "number"),
            ),
        ),
        rows=tuple(_spent_row(one) for one in groups),
        notes=(
            *(without_price(groups) if groups or lost else (_UNASKED,)),
            *_note_lost_tokens(lost),
        ),
    )


def _note_lost_tokens(tokens: int) -> tuple[str, ...]:
    """A note on tokens of requests without a recorded end; no row counts them."""
    if not tokens:
        return ()
    return (
        f"At most {tokens:,} tokens more were under way when a run was killed, or still are: a cap "
        "counts them, no row does.",
    )


def _spent_row(group: Group) -> tuple[Value, ...]:
    asked = [one for each in group.tries for one in each.asked]
    costs = [one.totals.cost for one in group.tries if one.totals.cost is not None]
    return (
        *group.who,
        sum(len(one.attempts) for one in group.tries),
        len(asked),
        sum(not one.answered for one in asked),
        sum(one.prompt_tokens for one in asked),
        sum(one.cached_tokens for one in asked),
        sum(one.completion_tokens for one in asked),
        sum(costs) if costs else None,
    )


def _to_solve(groups: Sequence[Group]) -> Table:
    return Table(
        name="cost_to_solve",
        title="Until a task was solved",
        about=(
            UNTIL + "Of solved tasks, up to the first correct kernel: means over tasks with "
            "Student's interval. Tasks that were not solved are not in it; what they took is in "
            "the cost per solved task."
        ),
        columns=(
            *WHO,
            *_SOLVED,
            *interval("attempts", "attempts", "number"),
            *interval("tokens", "tokens", "count"),
            *interval("dollars", "dollars", "number"),
        ),
        rows=tuple(_to_solve_row(one) for one in groups),
        notes=without_price(groups),
    )


def _to_solve_row(group: Group) -> tuple[Value, ...]:
    tried = [np.nan if one.first is None else one.first + 1.0 for one in group.tries]
    taken = [group.amounts(of, until_solved=True) for of in UNITS.values()]
    cells: list[Value] = []
    for values, least in ((np.asarray(tried), 1.0), *((one, 0.0) for one in taken)):
        known = np.isfinite(values)
        found = Clusters(group.tasks[known]).means(values[known])
        cells += ends(cut(found, np.inf, least), 0)
    return *group.who, *_count_solved(group), *cells


def _per_solved(groups: Sequence[Group]) -> Table:
    return Table(
        name="cost_per_solved",
        title="Cost per solved task",
        about=(
            "All that was spent, also on tasks that were not solved, by the number of solved ones; "
            "the interval is of its logarithm, by leaving out one task at a time."
        ),
        columns=(
            *WHO,
            *_SOLVED,
            *interval("attempts", "attempts", "number"),
            *interval("requests", "requests", "number"),
            *interval("tokens", "tokens", "count"),
            *interval("dollars", "dollars", "number"),
        ),
        rows=tuple(_per_solved_row(one) for one in groups),
        notes=without_price(groups),
    )


def _per_solved_row(group: Group) -> tuple[Value, ...]:
    solved = np.asarray([float(one.solved) for one in group.tries])
    tried = np.asarray([float(len(one.attempts)) for one in group.tries])
    taken = [group.amounts(of) for of in (lambda taken: taken.requests, *UNITS.values())]
    cells: list[Value] = []
    for amounts, least in ((tried, 1.0), *((one, 0.0) for one in taken)):
        found = _ratio(amounts, solved, group.tasks, least)
        cells += (found.value, found.low, found.high) if found else (None, None, None)
    return *group.who, *_count_solved(group), *cells


def _ratio(amounts: Floats, solved: Floats, tasks: Codes, least: float) -> Interval | None:
    """Sum by sum, over tries whose amount is known; a solved task takes `least` or more."""
    known = np.isfinite(amounts)
    if not (solved[known].sum() and amounts[known].sum()):
        return None
    _, task = np.unique(tasks[known], return_inverse=True)
    above, below = np.bincount(task, amounts[known]), np.bincount(task, solved[known])
    value, many = float(above.sum() / below.sum()), above.size
    rest = below.sum() - below
    if many < 2 or not rest.all() or not (above.sum() - above).all():
        return Interval(value=value, low=float("nan"), high=float("nan"), n=many)
    other = np.log((above.sum() - above) / rest)
    error = np.sqrt(((other - other.mean()) ** 2).sum() * (many - 1) / many)
    width = float(np.exp(student(many - 1) * error))
    return Interval(value=value, low=max(value / width, least), high=value * width, n=many)


def _by_task(groups: Sequence[Group]) -> Table:
    rows = tuple(_task_row(group, one) for group in groups for one in group.tries)
    most = sorted(range(len(rows)), key=lambda at: -int(rows[at][7] or 0))
    return Table(
        name="cost_tasks",
        title="Task by task",
        about=UNTIL + "What each task took, and how much of it up to its first correct kernel.",
        columns=(
            *columns(("gpu", "GPU"), ("method", "method"), ("task", "task")),
            *aside(columns(("run", "run"))),
            *columns(
                ("solved", "solved"),
                ("attempts", "attempts", "count"),
                ("requests", "requests", "count"),
                ("tokens", "tokens", "count"),
                ("dollars", "dollars", "number"),
                ("attempts_to_solve", "attempts until solved", "count"),
                ("tokens_to_solve", "tokens until solved", "count"),
                ("dollars_to_solve", "dollars until solved", "number"),
            ),
        ),
        rows=rows,
        glance=tuple(most[:MOST_AT_A_GLANCE]),
    )


def _task_row(group: Group, one: Try) -> tuple[Value, ...]:
    taken, until = one.totals, one.until_solved
    return (
        group.card,
        group.name,
        one.task,
        one.run,
        one.solved,
        len(one.attempts),
        taken.requests,
        taken.tokens,
        taken.cost,
        None if one.first is None else one.first + 1,
        until.tokens if until else None,
        until.cost if until else None,
    )


def _count_solved(group: Group) -> tuple[int, int]:
    """Tasks, however often each was tried, and those of them without a kernel of Triton alone."""
    solved = {one.task for one in group.tries if one.solved}
    pure = {one.task for one in group.tries if one.solved and not one.only_mixed}
    return len(solved), len(solved - pure)
