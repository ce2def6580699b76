"""KernelBench problems by level: correctness, fast_p, pass@k, and how modules got their weights."""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.fast_p import BOUNDS, SHARES, fast_rows
from kernelbenchx.analysis.frame import AttemptFrame, CodedColumn, Flags, cross_columns, frame_of
from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import Clusters, Codes
from kernelbenchx.analysis.kernelbench_rule import rule_tables
from kernelbenchx.analysis.rates import PASS_AT_K, pass_at_k_rows
from kernelbenchx.analysis.table import Column, Table, Value, aside, columns
from kernelbenchx.core.grades import Grade

THRESHOLDS = (0.0, 0.5, 0.8, 1.0, 1.5, 2.0)
"""Those of KernelBench, and fast_0."""
PLAIN = "fp32"
NO_WEIGHTS = "none"
_NONE = "These runs hold no KernelBench problem."
_GROUP = columns(
    ("level", "level", "count"),
    ("precision", "precision"),
    ("method", "method"),
)
_GPU = columns(("gpu", "GPU"))
_APART = (
    "Levels, precisions and GPUs are never pooled. Problems that are unsound as published are in "
    "a table of their own and in no rate. "
)
_LEVELS = (
    _APART + "`problems` were judged, `solved` of them have at least one correct attempt, "
    "`core solved` one that is core correct. `correct` and `core` are shares of kernels kept at "
    "the end, each problem with the same weight; Wilson's interval with problems for draws. "
    "`at least` and `at most` are the share of correct attempts with void ones as failed and as "
    "correct."
)
_FAST = (
    _APART + "Share of all attempts, wrong and broken ones included, that are correct and strictly "
    f"more than p times as fast. {BOUNDS}Pure and mixed "
    "kernels have rows of their own over the same attempts, so they add up. `core fast_p` is the "
    "same of attempts that are core correct and not correct, on core cases. Each problem has the "
    "same weight; Wilson's interval with problems for draws."
)
_WEIGHTS = (
    _APART + "How modules got their weights: by `name`, by `place`, by `part` of the name, or both "
    "sides built under one `seed`. `none`: the problem has no weights, or the submission did not "
    "get so far. Counts of kernels kept at the end."
)
_UNSOUND = (
    f"Problems {Grade.UNSOUND}: a trivial answer passes them, so a correct attempt says nothing of "
    "its kernel. Counts of kernels kept at the end, in no other table."
)


def tables(attempts: Sequence[Attempt], thresholds: Sequence[float] = THRESHOLDS) -> list[Table]:
    """Rates, fast_p, pass@k and routes of weights by level and method; unsound problems apart."""
    every = frame_of([one for one in attempts if one.level], counts=lambda _: True)
    unsound, void = every.flags(lambda one: one.unsound), every.flags(lambda one: one.void)
    judged = every.pick(~unsound & ~void).last
    notes = every.notes if len(every) else (_NONE,)
    return [
        _rates(judged, every.pick(~unsound).last, notes),
        _fast(judged, sorted(set(thresholds)), notes),
        _pass_at_k(judged, notes),
        _weights(judged, notes),
        *rule_tables(judged, by_level(judged), (*_GPU, *_GROUP), notes),
        _tabulate_unsound(every.pick(unsound & ~void).last, notes),
    ]


def precision_of(attempt: Attempt) -> str:
    """As the name of the task says; a plain name is float32."""
    return attempt.task.partition(":")[2] or PLAIN


def by_level(frame: AttemptFrame) -> CodedColumn:
    """GPU, level, precision and method."""
    level, precision = frame.encode_by(lambda one: one.level), frame.encode_by(precision_of)
    return cross_columns(frame.card, level, precision, frame.author)


def _rates(judged: AttemptFrame, with_void: AttemptFrame, notes: tuple[str, ...]) -> Table:
    return Table(
        name="levels",
        title="Rates by level",
        about=_LEVELS,
        columns=(
            *_GPU,
            *_GROUP,
            *columns(
                ("problems", "problems", "count"),
                ("solved", "solved", "count"),
            ),
            *aside(columns(("core_solved", "core solved", "count"))),
            *columns(("attempts", "attempts", "count")),
            *interval("correct", "correct", "percent"),
            *interval("core", "core", "percent"),
            *aside(columns(("mixed", "of them mixed", "count"))),
            *aside(columns(("void", "void", "count"))),
            *columns(("at_least", "at least", "percent"), ("at_most", "at most", "percent")),
        ),
        rows=tuple(_rate_rows(judged, with_void)),
        notes=notes,
    )


def _rate_rows(judged: AttemptFrame, with_void: AttemptFrame) -> Iterator[tuple[Value, ...]]:
    groups = by_level(with_void)
    codes = _codes_in(judged, groups)
    found = {}
    for name in ("correct", "core"):
        stage = judged.stages[name]
        asked = stage.askable
        there = Clusters(judged.task.codes[asked], codes[asked], len(groups.labels))
        found[name] = there.shares(stage.yes[asked])
    asked, core = judged.stages["correct"].askable, judged.stages["core"].yes
    solved = _problems(judged, codes, asked & judged.solved)
    core_solved = _problems(judged, codes, asked & core)
    void = with_void.flags(lambda one: one.void)
    right = with_void.stages["correct"]
    bounded = Clusters(
        with_void.task.codes[right.askable], groups.codes[right.askable], len(groups.labels)
    )
    least = bounded.shares(right.yes[right.askable])
    most = bounded.shares((right.yes | void)[right.askable])
    for row, label in enumerate(groups.labels):
        mine, own = groups.codes == row, codes == row
        yield (
            *label,
            int(found["correct"].tasks[row]),
            solved[row],
            core_solved[row],
            int(found["correct"].n[row]),
            *ends(found["correct"], row),
            *ends(found["core"], row),
            int((own & judged.mixed).sum()),
            int((mine & void).sum()),
            ends(least, row)[0],
            ends(most, row)[0],
        )


def _codes_in(frame: AttemptFrame, groups: CodedColumn) -> Codes:
    """The group of each row, in the order of groups of a frame that holds more rows."""
    place = {label: row for row, label in enumerate(groups.labels)}
    own = by_level(frame)
    return np.asarray([place[label] for label in own.labels], np.int64)[own.codes]


def _problems(frame: AttemptFrame, groups: Codes, hits: Flags) -> Counter[int]:
    """How many problems of each group have a hit."""
    there = set(zip(groups[hits].tolist(), frame.task.codes[hits].tolist(), strict=True))
    return Counter(group for group, _ in there)


def _fast(judged: AttemptFrame, thresholds: Sequence[float], notes: tuple[str, ...]) -> Table:
    rows = fast_rows(judged, thresholds, by_level)
    return Table(
        name="fast_p_by_level",
        title="fast_p by level",
        about=_FAST,
        columns=(
            *columns(("gpu", "GPU"), ("baseline", "over"), ("composition", "composition")),
            *_GROUP,
            *columns(("p", "p", "number")),
            *columns(("problems", "problems", "count"), ("attempts", "attempts", "count")),
            *SHARES,
        ),
        rows=tuple(rows),
        notes=notes,
    )


def _pass_at_k(judged: AttemptFrame, notes: tuple[str, ...]) -> Table:
    return Table(
        name="pass_at_k_by_level",
        title="pass@k by level",
        about=_APART + PASS_AT_K,
        columns=(
            *_GPU,
            *_GROUP,
            *columns(("k", "k", "count")),
            *columns(("problems", "problems", "count"), ("attempts", "attempts", "count")),
            *interval("pass", "pass@k", "percent"),
        ),
        rows=tuple(pass_at_k_rows(judged, by_level)),
        notes=notes,
    )


def _weights(judged: AttemptFrame, notes: tuple[str, ...]) -> Table:
    return _tabulate_counts(
        judged,
        ("weights_by_level", "Where weights come from", _WEIGHTS),
        columns(("weights", "weights")),
        judged.encode_by(lambda one: one.weights or NO_WEIGHTS),
        notes,
    )


def _tabulate_unsound(unsound: AttemptFrame, notes: tuple[str, ...]) -> Table:
    return _tabulate_counts(
        unsound,
        ("unsound_by_level", f"Problems {Grade.UNSOUND}", _UNSOUND),
        columns(("problem", "problem")),
        unsound.encode_by(lambda one: one.task),
        notes,
    )


def _tabulate_counts(
    frame: AttemptFrame,
    said: tuple[str, str, str],
    factor_columns: tuple[Column, ...],
    factor: CodedColumn,
    notes: tuple[str, ...],
) -> Table:
    """Attempts, correct and core correct ones by group and one more factor."""
    stages = frame.stages
    groups = by_level(frame)
    cells = cross_columns(groups, factor)
    counts = [
        np.bincount(cells.codes[hits], minlength=len(cells.labels)).tolist()
        for hits in (
            stages["correct"].askable,
            stages["correct"].askable & stages["correct"].yes,
            stages["core"].askable & stages["core"].yes,
        )
    ]
    name, title, about = said
    return Table(
        name=name,
        title=title,
        about=about,
        columns=(
            *_GPU,
            *_GROUP,
            *factor_columns,
            *columns(
                ("attempts", "attempts", "count"),
                ("correct", "correct", "count"),
                ("core_correct", "core correct", "count"),
            ),
        ),
        rows=tuple(
            (*group, word, *(count[row] for count in counts))
            for row, (group, word) in enumerate(cells.labels)
        ),
        notes=notes,
    )
