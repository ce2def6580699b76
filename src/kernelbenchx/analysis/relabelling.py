"""Does the answer depend on where a task was filed? Explained deviance under other labels."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from kernelbenchx.analysis import sensitivity
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.counts import Counts
from kernelbenchx.analysis.explained import deviances_of
from kernelbenchx.analysis.table import Table, columns
from kernelbenchx.analysis.variance import can_be_fitted, outcomes


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


def tables(attempts: Sequence[Attempt]) -> list[Table]:
    """The doubts, and what becomes of the variance result."""
    rows: list[sensitivity.ShareComparison] = []
    present: set[str] = set()
    for outcome, counts in outcomes(attempts):
        present.update(counts.tasks)
        rows += [
            sensitivity.compared(outcome, name, counts.relabelled(moved))
            for name, moved in labellings(counts)
        ]
    missing = [one.task for one in DOUBTFUL if one.task not in present]
    notes = (WHY, f"Not in this data: {', '.join(missing)}.") if missing else (WHY,)
    here = [one for one in DOUBTFUL if one.task in present]
    title = "Explained deviance under other labels"
    return [doubts(here), *sensitivity.as_tables("categories_relabelled", title, rows, notes)]


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
            yield said({one.task: other}), {one.task: other}
    if len(here) > 1 and can_be_fitted(counts):
        ranked = sorted(every_way(here), key=lambda moved: _share(counts, moved))
        yield f"least of {len(ranked)} ways: {said(ranked[0])}", ranked[0]
        yield f"most of {len(ranked)} ways: {said(ranked[-1])}", ranked[-1]
    composites = {task: "Fusion" for task in COMPOSITES if task in counts.tasks}
    if composites:
        yield f"composites outside Fusion filed there ({len(composites)})", composites


def every_way(among: Sequence[Doubt]) -> list[Mapping[str, str]]:
    """All combinations of filing these tasks, the present one too."""
    ways = product(*((one.filed, *one.others) for one in among))
    return [
        {one.task: name for one, name in zip(among, way, strict=True) if name != one.filed}
        for way in ways
    ]


def said(moved: Mapping[str, str]) -> str:
    """Moves in words."""
    return (
        ", ".join(f"{task.partition('/')[2]} in {to}" for task, to in moved.items()) or "as filed"
    )


def _share(counts: Counts, moved: Mapping[str, str]) -> float:
    return float(deviances_of(counts.relabelled(moved)).shares[sensitivity.CATEGORY])
