"""Two sides, task by task: where one is faster by a factor, and what one alone solves."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from kernelbenchx.analysis.attempt import Attempt, Speed
from kernelbenchx.analysis.authors import author_names
from kernelbenchx.analysis.frame import frame_of, gpu_of
from kernelbenchx.analysis.interval_cells import ends_of, interval
from kernelbenchx.analysis.intervals import wilson
from kernelbenchx.analysis.table import Table, Value, columns

RATIO = 1.5
_SIDES = (
    "Each side stands with its fastest kept kernel of a task, by its speedup over eager on that "
    "GPU. Times count only of correct kernels, where they can be trusted. "
)
_ONE_SIDE = "There is one side only: name two runs, or runs of several methods on one GPU."
_APART = (
    "No two sides are on one GPU: {}. Sides on several GPUs are not compared; `kbx analyze "
    "hardware` shows the kernels that were timed on several."
)
_PAIR = columns(("gpu", "GPU"), ("first", "first"), ("second", "second"))


@dataclass(frozen=True)
class _SideResult:
    """The results of one side at a task."""

    category: str
    solved: bool
    speed: Speed | None


_Stands = dict[tuple[str, str], dict[str, _SideResult]]
"""By GPU and side: tasks."""


def tables(
    attempts: Sequence[Attempt], ratio: float = RATIO, *, by_run: bool = False
) -> list[Table]:
    """Tasks with a clear lead, and how many there are; sides are methods, or runs."""
    stands = _index_sides(attempts, by_run=by_run)
    pairs = [
        (gpu, first, second)
        for gpu in sorted({gpu for gpu, _ in stands})
        for first, second in combinations(sorted(side for own, side in stands if own == gpu), 2)
    ]
    return [_summary(stands, pairs, ratio), _tasks(stands, pairs, ratio)]


def _summary(stands: _Stands, pairs: Sequence[tuple[str, str, str]], ratio: float) -> Table:
    return Table(
        name="compare",
        title="Two sides, task by task",
        about=(
            _SIDES + "Of tasks that both tried: solved by only one of them; and of those with "
            f"times on both sides, the share where one is at least {ratio:g} times as fast, with "
            "Wilson's interval."
        ),
        columns=(
            *_PAIR,
            *columns(
                ("tasks", "tasks", "count"),
                ("only_first", "only first solves", "count"),
                ("only_second", "only second solves", "count"),
                ("timed", "both timed", "count"),
            ),
            *interval("first_faster", "first faster", "percent"),
            *interval("second_faster", "second faster", "percent"),
        ),
        rows=tuple(_summary_row(stands, pair, ratio) for pair in pairs),
        notes=() if pairs else (_explain_missing_pair(stands),),
    )


def _explain_missing_pair(stands: _Stands) -> str:
    """Why there is no pair."""
    if len(stands) < 2:
        return _ONE_SIDE
    return _APART.format(", ".join(f"{side} on {gpu}" for gpu, side in sorted(stands)))


def _summary_row(stands: _Stands, pair: tuple[str, str, str], ratio: float) -> tuple[Value, ...]:
    found = list(_pair_tasks(stands, pair))
    ratios = [_ratio(one.speed, two.speed) for _, one, two in found if one.speed and two.speed]
    leads = [sum(one[0] >= ratio for one in ratios), sum(one[0] <= 1 / ratio for one in ratios)]
    shares = [wilson(lead, len(ratios)) for lead in leads]
    return (
        *pair,
        len(found),
        sum(one.solved and not two.solved for _, one, two in found),
        sum(two.solved and not one.solved for _, one, two in found),
        len(ratios),
        *(end for one in shares for end in ends_of(one)),
    )


def _tasks(stands: _Stands, pairs: Sequence[tuple[str, str, str]], ratio: float) -> Table:
    return Table(
        name="compare_tasks",
        title=f"Tasks where one side is at least {ratio:g} times as fast",
        about=(
            _SIDES + f"Tasks with a ratio of speedups of at least {ratio:g}, either way, the "
            "largest first. The interval comes from both measurements; `certain` says that all of "
            "it is beyond."
        ),
        columns=(
            *_PAIR,
            *columns(("task", "task"), ("category", "category"), ("faster", "faster")),
            *interval("ratio", "times as fast", "ratio"),
            *columns(("certain", "certain")),
            *columns(("first_speedup", "first", "ratio"), ("second_speedup", "second", "ratio")),
        ),
        rows=tuple(row for pair in pairs for row in _task_rows(stands, pair, ratio)),
    )


def _task_rows(
    stands: _Stands, pair: tuple[str, str, str], ratio: float
) -> list[tuple[Value, ...]]:
    _, first, second = pair
    found: list[tuple[float, tuple[Value, ...]]] = []
    for task, one, two in _pair_tasks(stands, pair):
        if one.speed is None or two.speed is None:
            continue
        value, low, high = _ratio(one.speed, two.speed)
        faster = first
        if value < 1:
            value, low, high, faster = 1 / value, 1 / high, 1 / low, second
        if value >= ratio:
            named = (*pair, task, one.category, faster, value, low, high, low >= ratio)
            found.append((-value, (*named, one.speed.speedup, two.speed.speedup)))
    return [row for _, row in sorted(found, key=lambda each: (each[0], str(each[1])))]


def _pair_tasks(
    stands: _Stands, pair: tuple[str, str, str]
) -> Iterator[tuple[str, _SideResult, _SideResult]]:
    gpu, first, second = pair
    one, two = stands[gpu, first], stands[gpu, second]
    for task in sorted(set(one) & set(two)):
        yield task, one[task], two[task]


def _ratio(one: Speed, two: Speed) -> tuple[float, float, float]:
    """Of two measurements that know nothing of each other: their errors add up as squares."""
    value = math.log(one.speedup / two.speedup)
    below = math.hypot(*(_below(one), _above(two)))
    above = math.hypot(*(_above(one), _below(two)))
    return math.exp(value), math.exp(value - below), math.exp(value + above)


def _below(speed: Speed) -> float:
    return math.log(speed.speedup / speed.low) if speed.low > 0 else math.inf


def _above(speed: Speed) -> float:
    return math.log(speed.high / speed.speedup) if speed.high > 0 else math.inf


def _index_sides(attempts: Sequence[Attempt], *, by_run: bool) -> _Stands:
    groups: defaultdict[tuple[str, str, str], list[Attempt]] = defaultdict(list)
    for side, one in _by_side(attempts, by_run=by_run):
        groups[gpu_of(one), side, one.task].append(one)
    found: _Stands = {}
    for (gpu, side, task), own in groups.items():
        timed = [one.eager for one in own if one.timed and one.eager and one.eager.speedup > 0]
        best = max(timed, key=lambda speed: speed.speedup, default=None)
        solved = any(one.correct for one in own)
        found.setdefault((gpu, side), {})[task] = _SideResult(own[0].category, solved, best)
    return found


def _by_side(attempts: Sequence[Attempt], *, by_run: bool) -> Iterator[tuple[str, Attempt]]:
    """Kept kernels of each side. Runs stay apart: one kernel may stand in both."""
    if by_run:
        for run in dict.fromkeys(one.run for one in attempts):
            own = frame_of([one for one in attempts if one.run == run])
            yield from ((run, one) for one in own.last.attempts)
        return
    frame = frame_of(attempts)
    names = author_names(frame.attempts)
    yield from ((names[one.method, one.model], one) for one in frame.last.attempts)
