"""Causes of failure by category, method, round and stage, each beside what chance would give.

Categories are shuffled over tasks, each with all of its failures. Methods, rounds and stages are
shuffled among the failures of one task, so that hard tasks stay hard.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.causes import Cause, cause_of, stage_of
from kernelbenchx.analysis.frame import AttemptFrame, CodedColumn, encode_labels, frame_of
from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import Clusters, Codes, Floats
from kernelbenchx.analysis.table import Table, Value, columns

DRAWS = 1000
FEWEST_DRAWS = 200
MOST_SHUFFLED = 20_000_000
"""Failures times draws: more take too long."""
BEYOND = 0.05
GLANCE = 12
"""Rows that people see where fewer are beyond chance."""
_NEAR = 1e-9
_ENDS = (0.025, 0.975)
_FEW = "Fewer than two groups, causes or tasks failed: there is nothing to shuffle."


def tables(attempts: Sequence[Attempt], frame: AttemptFrame | None = None) -> list[Table]:
    """One table of all four."""
    frame = frame or frame_of(attempts)
    rows = [row for failed in _split_by_gpu(frame) for row in _rows(failed)]
    return [
        Table(
            name="causes_beside_chance",
            title="Causes of failure beside chance",
            about=(
                "Of the failures of a category, method, round or stage, the share with each cause; "
                "each task has the same weight, Wilson's interval over tasks. Beside it is what "
                "chance would give, with the range of 95 of 100 draws. Categories are shuffled "
                "over tasks, the others among the failures of one task. p is how often this group "
                "and cause deviates as much, to either side. Adjusted p is how often any of that "
                "kind does; 0.05 or less is beyond chance. All attempts count."
            ),
            columns=(
                *columns(
                    ("gpu", "GPU"),
                    ("by", "by"),
                    ("group", "group"),
                    ("cause", "cause"),
                    ("tasks", "tasks", "count"),
                    ("failures", "failures", "count"),
                    ("count", "of this cause", "count"),
                ),
                *interval("share", "share", "percent"),
                *interval("chance", "by chance", "percent"),
                *columns(("p", "p", "number"), ("adjusted", "adjusted p", "number")),
            ),
            rows=tuple(rows),
            notes=frame.notes if rows else (*frame.notes, _FEW),
            glance=_first(rows),
        )
    ]


def _first(rows: Sequence[tuple[Value, ...]]) -> tuple[int, ...]:
    """Those beyond chance, or the nearest to it."""
    adjusted = np.asarray([row[-1] for row in rows], float)
    beyond = np.flatnonzero(adjusted <= BEYOND)
    near = np.argsort(adjusted, kind="stable")[:GLANCE]
    return tuple(sorted((beyond if beyond.size >= GLANCE else near).tolist()))


@dataclass(frozen=True)
class _GpuFailures:
    """Failures on one GPU."""

    frame: AttemptFrame
    cause: CodedColumn

    @property
    def gpu(self) -> str:
        return str(self.frame.card.labels[self.frame.card.codes[0]])

    def groups(self, by: str) -> CodedColumn:
        return _GROUPS[by](self.frame)


_GROUPS: dict[str, Callable[[AttemptFrame], CodedColumn]] = {
    "category": lambda frame: frame.encode_by(lambda one: one.category),
    "method": lambda frame: encode_labels(frame.author.labels[code] for code in frame.author.codes),
    "round": lambda frame: encode_labels(int(turn) for turn in frame.turn),
    "stage": lambda frame: frame.encode_by(lambda one: stage_of(one).value),
}


def _split_by_gpu(frame: AttemptFrame) -> Iterator[_GpuFailures]:
    written = frame.pick(frame.flags(lambda one: not one.handed_in))
    causes = [cause_of(one) for one in written.attempts]
    failing = np.asarray([one not in (None, Cause.NOT_SAID) for one in causes], bool)
    for code in range(len(written.card.labels)):
        rows = np.flatnonzero(failing & (written.card.codes == code))
        if rows.size:
            yield _GpuFailures(written.pick(rows), encode_labels(str(causes[row]) for row in rows))


def _rows(failed: _GpuFailures) -> Iterator[tuple[Value, ...]]:
    tasks = np.unique(failed.frame.task.codes, return_inverse=True)[1]
    for by in _GROUPS:
        groups = failed.groups(by)
        if min(len(groups.labels), len(failed.cause.labels), int(tasks.max()) + 1) < 2:
            continue
        shuffled = _shuffle_over_tasks if by == "category" else _shuffle_within_tasks
        yield from _group_rows(failed, by, groups, tasks, shuffled(tasks, groups, failed.cause))


@dataclass(frozen=True)
class _ChanceShares:
    """Shares by group and cause."""

    mean: Floats
    """Of all ways to shuffle, exactly: the mean of draws would make equal distances unequal."""
    draws: Floats
    """The first axis is the draw."""


def _group_rows(
    failed: _GpuFailures, by: str, groups: CodedColumn, tasks: Codes, shuffled: _ChanceShares
) -> Iterator[tuple[Value, ...]]:
    clusters = Clusters(tasks, groups.codes, len(groups.labels))
    hits = [failed.cause.codes == at for at in range(len(failed.cause.labels))]
    shares = [clusters.shares(one) for one in hits]
    counts = [np.bincount(groups.codes[one], minlength=len(groups.labels)) for one in hits]
    chances, adjusted = _compute_p_values(shuffled, np.stack([one.value for one in shares], axis=1))
    for row, group in enumerate(groups.labels):
        for at, cause in enumerate(failed.cause.labels):
            own, p = shuffled.draws[:, row, at], float(adjusted[row, at])
            if not counts[at][row] and p > BEYOND:
                continue
            low, high = np.quantile(own, _ENDS)
            sizes = int(clusters.tasks[row]), int(clusters.attempts[row]), int(counts[at][row])
            chance = float(shuffled.mean[row, at]), float(low), float(high)
            named = failed.gpu, by, str(group), str(cause)
            yield *named, *sizes, *ends(shares[at], row), *chance, float(chances[row, at]), p


def _compute_p_values(shuffled: _ChanceShares, found: Floats) -> tuple[Floats, Floats]:
    """How often each group and cause deviates as much, and how often any of them does.

    Deviations are from the mean, in the spread of the draws. Both shares count the same
    deviations, so the second is never below the first.
    """
    draws, spread = shuffled.draws, shuffled.draws.std(axis=0)
    wide = np.where(spread > _NEAR, spread, np.inf)
    drawn, own = np.abs(draws - shuffled.mean) / wide, np.abs(found - shuffled.mean) / wide - _NEAR
    each = (drawn >= own).sum(axis=0)
    any_of_them = (drawn.max(axis=(1, 2))[:, None, None] >= own).sum(axis=0)
    more = len(draws) + 1
    return np.asarray((1 + each) / more, float), np.asarray((1 + any_of_them) / more, float)


def _shuffle_over_tasks(tasks: Codes, groups: CodedColumn, causes: CodedColumn) -> _ChanceShares:
    """A task has one category and takes all of its failures with it."""
    count = int(tasks.max()) + 1
    shares = np.zeros((count, len(causes.labels)))
    np.add.at(shares, (tasks, causes.codes), 1.0)
    shares /= shares.sum(axis=1, keepdims=True)
    label = np.zeros(count, np.int64)
    label[tasks] = groups.codes
    rng = np.random.default_rng(0)
    found = np.empty((DRAWS, len(groups.labels), len(causes.labels)))
    each = np.arange(len(groups.labels))[:, None]
    sizes = np.bincount(label, minlength=len(groups.labels))[:, None]
    for draw in range(DRAWS):
        found[draw] = (each == rng.permutation(label)) @ shares / sizes
    return _ChanceShares(np.tile(shares.mean(axis=0), (len(groups.labels), 1)), found)


def _shuffle_within_tasks(tasks: Codes, groups: CodedColumn, causes: CodedColumn) -> _ChanceShares:
    """Labels change places among the failures of a task: each keeps as many of them as it had."""
    many = max(FEWEST_DRAWS, min(DRAWS, MOST_SHUFFLED // tasks.size))
    order = np.argsort(tasks, kind="stable")
    own, label, cause = tasks[order], groups.codes[order], causes.codes[order]
    sizes = np.zeros((int(own.max()) + 1, len(groups.labels)))
    ended = np.zeros((len(sizes), len(causes.labels)))
    np.add.at(sizes, (own, label), 1.0)
    np.add.at(ended, (own, cause), 1.0)
    ended /= ended.sum(axis=1, keepdims=True)
    mean = (sizes > 0).T @ ended / (sizes > 0).sum(axis=0)[:, None]
    with np.errstate(divide="ignore"):
        weight = 1.0 / sizes / (sizes > 0).sum(axis=0)
    rng = np.random.default_rng(0)
    shape = len(groups.labels), len(causes.labels)
    found = np.empty((many, shape[0] * shape[1]))
    for draw in range(many):
        mixed = label[np.lexsort((rng.random(own.size), own))]
        place = mixed * shape[1] + cause
        found[draw] = np.bincount(place, weight[own, mixed], minlength=found.shape[1])
    return _ChanceShares(mean, found.reshape(many, *shape))
