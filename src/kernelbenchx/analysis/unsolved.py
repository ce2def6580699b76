"""Tasks that no method solves, in any sample or round: how many, by category, and which."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from scipy.special import gammaln

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.causes import cause_of
from kernelbenchx.analysis.frame import AttemptFrame, frame_of
from kernelbenchx.analysis.interval_cells import interval
from kernelbenchx.analysis.intervals import Floats, holm, wilson
from kernelbenchx.analysis.published_attempts import RUN as PUBLISHED
from kernelbenchx.analysis.table import Table, Value, columns

ALL = "all categories"
DRAWS = 2000
_SOLVED_ALL = "Every task was solved by some attempt."
_NOT_JUDGED = "Nothing was judged."
_UNNAMED = (
    "The paper counts by category: which tasks a method solved is not known. It says that 43 of 60 "
    "tasks of Fusion stay unsolved."
)
_ENDS = (0.025, 0.975)
_FURTHEST = ("rejected", "does not run", "runs", "core correct")


def tables(attempts: Sequence[Attempt], frame: AttemptFrame | None = None) -> list[Table]:
    """Unsolved tasks by category beside chance, and their list."""
    frame = frame or frame_of(attempts)
    judged = frame.pick(frame.flags(_is_known))
    by_card = [judged.pick(judged.card.codes == code) for code in range(len(judged.card.labels))]
    there = [one for one in by_card if len(one)]
    listed = tuple(row for one in there for row in _task_rows(one))
    unnamed = any(one.run == PUBLISHED for one in frame.attempts)
    nothing = _SOLVED_ALL if there else _UNNAMED if unnamed else _NOT_JUDGED
    notes = judged.notes if listed else (*judged.notes, nothing)
    return [
        Table(
            name="unsolved",
            title="Tasks that nothing solves",
            about=(
                "Share of tasks without a correct kernel by any method, sample or round, with "
                "Wilson's interval. Beside it is what chance would give and the range of 95 of "
                "100 draws: categories shuffled over tasks. In the row of all categories, what "
                "each method solves is shuffled over its tasks: more unsolved tasks than that "
                "means that methods fail at the same ones. p is two-sided, Holm's correction is "
                "over the categories."
            ),
            columns=(
                *columns(
                    ("gpu", "GPU"),
                    ("category", "category"),
                    ("methods", "methods", "count"),
                    ("tasks", "tasks", "count"),
                    ("unsolved", "unsolved", "count"),
                ),
                *interval("share", "share", "percent"),
                *interval("chance", "by chance", "percent"),
                *columns(("p", "p", "number"), ("adjusted", "adjusted p", "number")),
            ),
            rows=tuple(row for one in there for row in _rows(one)),
            notes=judged.notes if there else notes,
        ),
        Table(
            name="unsolved_tasks",
            title="The tasks that nothing solves",
            about=(
                "Each with how many methods and attempts it withstood, how far the best of them "
                "came, and the cause that most of them failed for."
            ),
            columns=columns(
                ("gpu", "GPU"),
                ("category", "category"),
                ("task", "task"),
                ("methods", "methods", "count"),
                ("attempts", "attempts", "count"),
                ("furthest", "furthest"),
                ("cause", "most frequent cause"),
                ("of", "of them", "count"),
            ),
            rows=listed,
            notes=notes,
        ),
    ]


def _is_known(one: Attempt) -> bool:
    """Judged, and of a task that has a name: the paper counts by category only."""
    return one.outcome != "reached" and one.run != PUBLISHED


def _rows(frame: AttemptFrame) -> Iterator[tuple[Value, ...]]:
    solved = _by_task_and_method(frame)
    tasks = sorted(solved)
    card = str(frame.card.labels[frame.card.codes[0]])
    category = {one.task: one.category for one in frame.attempts}
    lost = {task for task in tasks if not any(solved[task].values())}
    yield card, ALL, *_together(solved, tasks, len(lost))
    sizes = Counter(category[task] for task in tasks)
    found = Counter(category[task] for task in lost)
    named = sorted(sizes)
    chances = [_test_category_share(len(tasks), len(lost), sizes[one], found[one]) for one in named]
    adjusted = holm([one[3] for one in chances])
    for at, name in enumerate(named):
        share = wilson(found[name], sizes[name])
        methods = {method for task in tasks if category[task] == name for method in solved[task]}
        head = card, name, len(methods), sizes[name], found[name]
        yield *head, share.value, share.low, share.high, *chances[at], float(adjusted[at])


def _by_task_and_method(frame: AttemptFrame) -> dict[str, dict[int, bool]]:
    found: defaultdict[str, dict[int, bool]] = defaultdict(dict)
    for one, author in zip(frame.attempts, frame.author.codes.tolist(), strict=True):
        found[one.task][author] = found[one.task].get(author, False) or one.solved
    return dict(found)


def _together(
    solved: dict[str, dict[int, bool]], tasks: Sequence[str], lost: int
) -> tuple[Value, ...]:
    """All tasks: what each method solves is shuffled over the tasks that it tried."""
    methods = sorted({one for own in solved.values() for one in own})
    draws = _shuffle_unsolved(solved, tasks, methods)
    share = wilson(lost, len(tasks))
    low, high = np.quantile(draws, _ENDS)
    p = _two_sided(draws, lost)
    ends = share.value, share.low, share.high
    chance = tuple(float(one) / len(tasks) for one in (draws.mean(), low, high))
    return len(methods), len(tasks), lost, *ends, *chance, p, None


def _shuffle_unsolved(
    solved: dict[str, dict[int, bool]], tasks: Sequence[str], methods: Sequence[int]
) -> Floats:
    rng = np.random.default_rng(0)
    left = np.ones((DRAWS, len(tasks)), bool)
    for method in methods:
        tried = [at for at, task in enumerate(tasks) if method in solved[task]]
        right = np.array([solved[tasks[at]][method] for at in tried], bool)
        left[:, tried] &= ~rng.permuted(np.tile(right, (DRAWS, 1)), axis=1)
    return np.asarray(left.sum(axis=1), float)


def _test_category_share(
    tasks: int, lost: int, size: int, found: int
) -> tuple[float, float, float, float]:
    """Mean, range and p of a category's share where categories are shuffled: exact."""
    counts = np.arange(max(0, size + lost - tasks), min(size, lost) + 1)
    chance = np.exp(
        _choose(lost, counts) + _choose(tasks - lost, size - counts) - _choose(tasks, size)
    )
    heaped = np.cumsum(chance)
    low, high = (int(counts[np.searchsorted(heaped, end - 1e-12)]) for end in _ENDS)
    own = float(chance[counts == found][0])
    p = float(chance[chance <= own * (1 + 1e-9)].sum())
    return lost / tasks, low / size, high / size, min(1.0, p)


def _choose(n: int, k: object) -> Floats:
    few = np.asarray(k, float)
    return np.asarray(gammaln(n + 1.0) - gammaln(few + 1.0) - gammaln(n - few + 1.0), float)


def _two_sided(draws: Floats, found: float) -> float:
    above, below = int((draws >= found).sum()), int((draws <= found).sum())
    return min(1.0, 2 * (1 + min(above, below)) / (draws.size + 1))


def _task_rows(frame: AttemptFrame) -> Iterator[tuple[Value, ...]]:
    own: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for row, one in enumerate(frame.attempts):
        own[one.category, one.task].append(row)
    card = str(frame.card.labels[frame.card.codes[0]])
    for (category, task), rows in sorted(own.items()):
        here = [frame.attempts[row] for row in rows]
        if any(one.solved for one in here):
            continue
        methods = len({int(frame.author.codes[row]) for row in rows})
        causes = Counter(str(cause) for one in here if (cause := cause_of(one)) is not None)
        (most, count), *_ = [*causes.most_common(1), ("", 0)]
        far = _FURTHEST[max(map(_rank_progress, here))]
        yield card, category, task, methods, len(here), far, most, count


def _rank_progress(one: Attempt) -> int:
    if one.core:
        return 3
    return 2 if one.called else int(one.outcome != "rejected")
