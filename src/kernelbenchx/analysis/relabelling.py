"""Explained deviance under other category labels of doubtful tasks."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from kernelbenchx.analysis import sensitivity
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.explained_deviance import deviances_of
from kernelbenchx.analysis.interval_cells import interval
from kernelbenchx.analysis.intervals import wilson
from kernelbenchx.analysis.success_counts import Counts
from kernelbenchx.analysis.table import Table, columns
from kernelbenchx.analysis.variance import can_be_fitted, outcomes
from kernelbenchx.core.errors import BadInput


@dataclass(frozen=True, kw_only=True)
class Doubt:
    """A task that a rule would file elsewhere."""

    task: str
    filed: str
    others: tuple[str, ...]
    why: str


DOUBTFUL = (
    Doubt(
        task="math/softmax",
        filed="Math",
        others=("Normalization", "Reduce", "Activation"),
        why="a maximum and a sum over a dimension before anything elementwise",
    ),
    Doubt(
        task="math/fftn",
        filed="Math",
        others=("LinearAlgebra",),
        why="a linear map of whole dimensions, nothing elementwise",
    ),
    Doubt(
        task="random/logspace",
        filed="Random",
        others=("Math",),
        why="a formula of the position; nothing is drawn",
    ),
)
"""Every way of filing these is tried, alone and together."""

COMPOSITES = (
    "activation/combined_activation",
    "linear_algebra/solve_and_add_scaled_vector",
    "math/bitwise_and_binomial",
    "math/erfc_sqrt",
    "math/exp_sqrt",
    "math/rad2deg_sqrt",
    "math/signbit_bitwise_and",
    "math/sqrt_exp",
    "math/sqrt_tanh",
    "matrix_multiply/matrix_multiply_and_row_dot",
    "matrix_multiply/matrix_vector_dot",
    "matrix_multiply/symmetric_mm_and_abs_sum",
    "matrix_multiply/tensordot_rsqrt",
    "matrix_multiply/tril_mm_and_scale",
    "normalization/normalize_pairwise_distance",
    "normalization/normalized_cosine_similarity",
    "reduce/min_gelu",
)
"""Several operators in one call, yet not filed under Fusion."""

WHY = (
    "The rule by which tasks were filed is not documented, so a conclusion should hold under each"
    " of these labels."
)


OWN = "own labels"


def tables(attempts: Sequence[Attempt], labels: Mapping[str, str] | None = None) -> list[Table]:
    """The doubtful tasks, and the variance result under other labels or your own."""
    own = own_labels(attempts, labels or {})
    rows: list[sensitivity.ShareComparison] = []
    present: set[str] = set()
    for outcome, counts in outcomes(attempts):
        present.update(counts.tasks)
        rows += [
            sensitivity.compare_shares(outcome, name, counts.relabel_tasks(moved))
            for name, moved in (*labellings(counts), *_as_own(own))
        ]
    missing = [one.task for one in DOUBTFUL if one.task not in present]
    notes = (WHY, f"Not in this data: {', '.join(missing)}.") if missing else (WHY,)
    here = [one for one in DOUBTFUL if one.task in present]
    title = "Explained deviance under other labels"
    agreed = [_agreement(attempts, own)] if own else []
    return [
        doubts(here),
        *agreed,
        *sensitivity.as_tables("categories_relabelled", title, rows, notes),
    ]


def own_labels(attempts: Sequence[Attempt], labels: Mapping[str, str]) -> Mapping[str, str]:
    """By full name of the task; a bare name stands for the one task that has it."""
    tasks = sorted({one.task for one in attempts})
    found: dict[str, str] = {}
    for name, category in labels.items():
        meant = [task for task in tasks if name in (task, task.partition("/")[2])]
        if len(meant) > 1:
            raise BadInput(f"own labels: {name} may be {' or '.join(meant)}")
        for task in meant:
            if found.setdefault(task, category) != category:
                raise BadInput(f"own labels: {task} is {found[task]} and {category}")
    if labels and not found:
        raise BadInput(f"own labels: no task of these runs, such as {tasks[0] if tasks else '-'}")
    return found


def _as_own(own: Mapping[str, str]) -> Iterator[tuple[str, Mapping[str, str]]]:
    if own:
        yield OWN, own


def _agreement(attempts: Sequence[Attempt], own: Mapping[str, str]) -> Table:
    """Kappa is agreement beyond what both ways of filing would have by chance."""
    filed = {one.task: one.category for one in attempts}
    pairs = [(filed[task], category) for task, category in sorted(own.items())]
    same = wilson(sum(one == other for one, other in pairs), len(pairs))
    first, second = (Counter(side) for side in zip(*pairs, strict=True))
    chance = sum(first[name] * second[name] for name in first) / len(pairs) ** 2
    kappa = (same.value - chance) / (1.0 - chance) if chance < 1.0 else None
    return Table(
        name="categories_agreement",
        title="Own labels beside the filed categories",
        about="Tasks of these runs that the file labels, and the share that it files where they "
        "are, with Wilson's interval. Kappa is Cohen's: agreement beyond chance, 1 is full. "
        "Tasks without a label keep their category in the row `own labels`.",
        columns=(
            *columns(("tasks", "tasks", "count"), ("labelled", "labelled", "count")),
            *interval("same", "filed the same", "percent"),
            *columns(("kappa", "kappa", "number"), ("moved", "moved")),
        ),
        rows=((len(filed), len(own), same.value, same.low, same.high, kappa, _moves(filed, own)),),
    )


def _moves(filed: Mapping[str, str], own: Mapping[str, str]) -> str:
    return describe_moves({task: to for task, to in sorted(own.items()) if filed[task] != to})


def doubts(among: Sequence[Doubt]) -> Table:
    """Which tasks could be filed elsewhere, and why."""
    return Table(
        name="categories_doubtful",
        title="Doubtful tasks",
        about="Tasks that the rule of their category does not fit, and where they could be filed.",
        columns=columns(
            ("task", "task"), ("filed", "filed under"), ("others", "could be"), ("why", "why")
        ),
        rows=tuple((one.task, one.filed, ", ".join(one.others), one.why) for one in among),
    )


def labellings(counts: Counts) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Names and moves: none, each alone, the two extremes of all together, composites to Fusion."""
    yield "as filed", {}
    here = [one for one in DOUBTFUL if one.task in counts.tasks]
    for one in here:
        for other in one.others:
            yield describe_moves({one.task: other}), {one.task: other}
    if len(here) > 1 and can_be_fitted(counts):
        ranked = sorted(enumerate_moves(here), key=lambda moved: _share(counts, moved))
        yield f"least of {len(ranked)} ways: {describe_moves(ranked[0])}", ranked[0]
        yield f"most of {len(ranked)} ways: {describe_moves(ranked[-1])}", ranked[-1]
    composites = {task: "Fusion" for task in COMPOSITES if task in counts.tasks}
    if composites:
        yield f"composites outside Fusion filed there ({len(composites)})", composites


def enumerate_moves(among: Sequence[Doubt]) -> list[Mapping[str, str]]:
    """All combinations of filing these tasks, the present one too."""
    ways = product(*((one.filed, *one.others) for one in among))
    return [
        {one.task: name for one, name in zip(among, way, strict=True) if name != one.filed}
        for way in ways
    ]


def describe_moves(moved: Mapping[str, str]) -> str:
    """Moves in words."""
    return (
        ", ".join(f"{task.partition('/')[2]} in {to}" for task, to in moved.items()) or "as filed"
    )


def _share(counts: Counts, moved: Mapping[str, str]) -> float:
    return float(deviances_of(counts.relabel_tasks(moved)).shares[sensitivity.CATEGORY])
