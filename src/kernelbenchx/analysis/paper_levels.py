"""Tables 1 and 2 of the KernelBench paper for any run, beside what the paper prints."""

from collections.abc import Iterator, Sequence

import numpy as np

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.fast_at_k import within_turns
from kernelbenchx.analysis.fast_p import FastAttempts
from kernelbenchx.analysis.frame import AttemptFrame, CodedColumn, cross_columns
from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import Clusters
from kernelbenchx.analysis.levels import PLAIN, precision_of
from kernelbenchx.analysis.paper_judgements import DEFINED, JUDGEMENTS, Judgement, timed_by
from kernelbenchx.analysis.paper_tables import PAPER, source_of
from kernelbenchx.analysis.published_kernelbench_data import (
    GPU,
    KINDS,
    LEVELS,
    TABLE_1,
    TABLE_2,
    TURNS,
)
from kernelbenchx.analysis.round_tables import of_several_rounds
from kernelbenchx.analysis.table import Table, Value, columns
from kernelbenchx.analysis.timed_kernels import EAGER, own_over

_PROBLEMS = (
    "KernelBench problems in float32, each with the same weight; Wilson's interval with problems "
    "for draws. `problems` were judged, of as many of the level in the paper: shares are of these. "
)
_FAST = (
    "fast_p is the share of all problems whose kernel is correct and strictly more than p times as "
    "fast as eager. A kernel's speedup is the quotient of two means over samples, in ms and to "
    "three digits, as KernelBench keeps them; eager is measured beside it, not stored. `at most` "
    "counts a correct kernel without a trusted time as fast. `speedup` is the geometric mean of "
    "correct kernels with a time. "
)
_NONE = "These runs hold no KernelBench problem in float32."
_ONE_TURN = "No method tried a problem again."
_ITS_RULE = "its own rule"
_SOURCE = columns(("source", "source"))


def tables(every: AttemptFrame) -> list[Table]:
    """Both; of the kernels kept at the end, and of all turns."""
    frame = every.pick(every.flags(_is_plain))
    notes = frame.notes if len(frame) else (*frame.notes, _NONE)
    return [_one_attempt(frame.last, notes), _turns(frame, notes)]


def _is_plain(one: Attempt) -> bool:
    return bool(one.level) and precision_of(one) == PLAIN


def _one_attempt(frame: AttemptFrame, notes: tuple[str, ...]) -> Table:
    share = ("percent",)
    return Table(
        name="kernelbench_table_1",
        title="KernelBench's Table 1: correct and fast, by level",
        about=_PROBLEMS + _FAST + DEFINED,
        columns=(
            *_SOURCE,
            *columns(("method", "method"), ("level", "level", "count"), ("judged_by", "judged by")),
            *columns(("problems", "problems", "count"), ("of", "of", "count")),
            *interval("fast_0", "fast_0", *share),
            *interval("fast_1", "fast_1", *share),
            *columns(("at_most", "at most", "percent"), ("timed", "timed", "count")),
            *interval("speedup", "speedup", "ratio"),
        ),
        rows=(*_level_rows(frame), *(_printed_levels() if len(frame) else ())),
        notes=notes,
    )


def _level_rows(frame: AttemptFrame) -> Iterator[tuple[Value, ...]]:
    judged = [(one, one.flag_judged(frame)) for one in JUDGEMENTS]
    groups = cross_columns(frame.card, frame.author, frame.encode_by(lambda one: one.level))
    for row, (card, author, level) in enumerate(groups.labels):
        for one, known in judged:
            own = frame.pick((groups.codes == row) & known)
            if len(own):
                of = int(Clusters(own.task.codes).tasks[0]), LEVELS.get(level)
                yield source_of(card), author, level, one.name, *of, *_fast_cells(own, one)


def _fast_cells(own: AttemptFrame, judgement: Judgement) -> tuple[Value, ...]:
    """By another standard than the chosen one without speed: it was timed on other cases."""
    clusters = Clusters(own.task.codes)
    right = judgement.right(own)
    correct = ends(clusters.shares(right), 0)
    if judgement not in timed_by(own) or not own.clocked.any():
        return *correct, *(None,) * 8
    fast = FastAttempts(right, own.numbers(mean_ratio))
    share, most = (clusters.shares(hits) for hits in (fast.at_least(1.0), fast.at_most(1.0)))
    timed = right & np.isfinite(fast.speedup) & own.flags(lambda one: one.timed)
    over = Clusters(own.task.codes[timed]).geometric_means(fast.speedup[timed])
    of_timed = int(timed.sum()), *ends(over, 0)
    return *correct, *ends(share, 0), ends(most, 0)[0], *of_timed


def mean_ratio(one: Attempt) -> float | None:
    """Eager's mean over the kernel's; of a run without samples, its speedup."""
    if one.timed and one.mean_ms is not None and one.mean_ms[0] > 0:
        return one.mean_ms[1] / one.mean_ms[0]
    speed = own_over(one, EAGER)
    return None if speed is None else speed.speedup


def _printed_levels() -> Iterator[tuple[Value, ...]]:
    for model, percents in TABLE_1.items():
        for level, percent in zip(LEVELS, percents, strict=True):
            of = LEVELS[level], LEVELS[level]
            printed = percent / 100.0, None, None
            yield _PAPER, model, level, _ITS_RULE, *of, *(None,) * 3, *printed, *(None,) * 5


_PAPER = f"{PAPER}, {GPU}"


def _turns(frame: AttemptFrame, notes: tuple[str, ...]) -> Table:
    rows = tuple(_turn_rows(frame))
    return Table(
        name="kernelbench_table_2",
        title=f"KernelBench's Table 2: fast_1 within {TURNS} turns, by level",
        about=(
            _PROBLEMS + "Share with a kernel among all of the first turns that is correct and "
            "strictly faster than eager; `at most` counts those without a trusted time. The "
            "paper's rows say what a turn is told. G: the previous kernel; E: execution results; "
            "P: the profile."
        ),
        columns=(
            *_SOURCE,
            *columns(("method", "method"), ("level", "level", "count")),
            *columns(("turns", "turns", "count")),
            *columns(("problems", "problems", "count"), ("of", "of", "count")),
            *interval("fast_1", "fast_1", "percent"),
            *columns(("at_most", "at most", "percent")),
        ),
        rows=(*rows, *(_printed_turns() if rows else ())),
        notes=notes if rows or not len(frame) else (*notes, _ONE_TURN),
    )


def _turn_rows(frame: AttemptFrame) -> Iterator[tuple[Value, ...]]:
    again = of_several_rounds(frame)
    level: CodedColumn = again.encode_by(lambda one: one.level)
    for code, number in enumerate(level.labels):
        found = within_turns(again.pick(level.codes == code), (1.0,), ()).records()
        last: dict[Sequence[Value], dict[str, Value]] = {}
        for row in found:
            turns = row["turns"]
            assert isinstance(turns, int)
            if row["baseline"] == EAGER and turns <= TURNS:
                # Rows are in the order of turns; pure ones come before those that count mixed too.
                last[row["gpu"], row["method"]] = row
        for (card, author), row in last.items():
            of = row["turns"], row["tasks"], LEVELS.get(number)
            share = row["share"], row["share_low"], row["share_high"], row["at_most"]
            yield source_of(str(card)), author, number, *of, *share


def _printed_turns() -> Iterator[tuple[Value, ...]]:
    for model, by_level in TABLE_2.items():
        for level, percents in by_level.items():
            for kind, percent in zip(KINDS, percents, strict=True):
                of = TURNS, LEVELS[level], LEVELS[level]
                yield _PAPER, f"{model}, {kind}", level, *of, percent / 100.0, *(None,) * 3
