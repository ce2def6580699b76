"""Table 1 of the KernelBench-X paper for any run, beside what the paper prints."""

from collections.abc import Iterator, Sequence

import numpy as np

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import ANY_GPU, AttemptFrame, cross_columns
from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import Clusters, Intervals, cut, wilson_ends
from kernelbenchx.analysis.paper_judgements import (
    BY_RULE,
    COMPILED,
    DEFINED,
    JUDGEMENTS,
    Judgement,
    timed_by,
)
from kernelbenchx.analysis.paper_sums import Sums, has_published_rows, sums_of
from kernelbenchx.analysis.published_attempts import RUN
from kernelbenchx.analysis.published_data import (
    TABLE_1,
    TASKS,
)
from kernelbenchx.analysis.table import Column, Table, Value, columns
from kernelbenchx.catalog.published_times import BESIDE_THE_PAPER, published_tasks

PAPER, ITS_RULE = "the paper", "its own rule"
EVERY = sum(TASKS.values())
ABOUT = (
    "Kernels kept at the end for tasks of the paper, pure and mixed. Each task has the same "
    "weight; Wilson's interval with tasks for draws. `tasks` were judged, of as many in the paper: "
    "rates are about these. "
)
_NONE = "These runs hold no task of the KernelBench-X paper."
_NOT_APPLIED = (
    "The paper's rule was applied to no kernel: `kbx eval --paper-rules` does, also to a finished "
    "run."
)
_OUR_SIZES = "Speedup and Score are at the sizes of our tasks; `--sizes published` has the paper's."
_NO_GPU = "The paper does not say on which GPU the speedups of its Table 1 were measured."
_PART = "The paper's numbers are of all its tasks: compare a part of them with care."
SOURCE = columns(("source", "source"))
_PERCENT = "percent"


def of_the_paper(last: AttemptFrame) -> AttemptFrame:
    """Kernels for the paper's tasks; `last` are those kept at the end."""
    return last.pick(last.flags(_is_of_paper))


def _is_of_paper(one: Attempt) -> bool:
    return one.run == RUN or (one.task in published_tasks() and one.task not in BESIDE_THE_PAPER)


def paper_notes(frame: AttemptFrame) -> tuple[str, ...]:
    """What was left out, and what to know of the comparison."""
    if not len(frame):
        return (*frame.notes, _NONE)
    said = list(frame.notes)
    if not BY_RULE.flag_judged(frame).any():
        said.append(_NOT_APPLIED)
    unsure = int(frame.flags(lambda one: one.paper_provisional).sum())
    if unsure:
        said.append(f"The paper's rule is provisional for {unsure}: it was applied without a GPU.")
    if len(frame.task.labels) < EVERY:
        said.append(_PART)
    return tuple(said)


def rate_columns() -> tuple[Column, ...]:
    """Compiled, correct, and correct of what is compiled."""
    return (
        *interval("compiled", "compile", _PERCENT),
        *interval("correct", "correct", _PERCENT),
        *interval("conversion", "correct / compiled", _PERCENT),
    )


def overall(frame: AttemptFrame) -> Table:
    """Compiled, correct, speed and Score of each method."""
    return Table(
        name="paper_table_1",
        title="Table 1: overall",
        about=(
            ABOUT + DEFINED + COMPILED + "Speedup is the mean over tasks of quotients of sums over "
            "sizes. Score is the mean of max(IOU, MFU) of all bytes and operations of a task. Both "
            "are of kernels with times for the chosen standard (`--correct`)."
        ),
        columns=(
            *SOURCE,
            *columns(("method", "method"), ("judged_by", "judged by")),
            *columns(("tasks", "tasks", "count"), ("of", "of", "count")),
            *rate_columns(),
            *columns(("timed", "timed", "count")),
            *interval("speedup", "speedup", "ratio"),
            *interval("score", "Score", _PERCENT),
        ),
        rows=(*_overall_rows(frame), *(_printed_overall() if len(frame) else ())),
        notes=(*paper_notes(frame), *_notes_on_speed(frame)),
    )


def _notes_on_speed(frame: AttemptFrame) -> tuple[str, ...]:
    timed = [one for one in frame.attempts if one.timed]
    sizes = () if any(map(has_published_rows, timed)) else (_OUR_SIZES,)
    return (_NO_GPU, *sizes) if timed else ()


def _overall_rows(frame: AttemptFrame) -> Iterator[tuple[Value, ...]]:
    sums = [sums_of(one) if one.timed else None for one in frame.attempts]
    judged = [(one, one.flag_judged(frame)) for one in JUDGEMENTS]
    groups = cross_columns(frame.card, frame.author)
    for row, (card, author) in enumerate(groups.labels):
        for one, known in judged:
            mine = (groups.codes == row) & known
            if mine.any():
                own = frame.pick(mine)
                speeds = _speeds(own, [sums[place] for place in np.flatnonzero(mine)], one)
                named = source_of(card), author, one.name
                yield *named, tasks_of(own), EVERY, *rate_cells(own, one), *speeds


def _printed_overall() -> Iterator[tuple[Value, ...]]:
    for method, one in TABLE_1.items():
        percents = one.compiled, one.correct, one.conversion
        rates = (cell for percent in percents for cell in (percent / 100.0, None, None))
        speed = one.speedup, None, None, one.score / 100.0, None, None
        yield PAPER, method, ITS_RULE, EVERY, EVERY, *rates, None, *speed


def source_of(card: str) -> str:
    """What stands above rows of a run: its GPU."""
    return "GPU not recorded" if card == ANY_GPU else card


def tasks_of(frame: AttemptFrame) -> int:
    """How many there are."""
    return int(np.unique(frame.task.codes).size)


def rate_cells(own: AttemptFrame, judgement: Judgement) -> tuple[Value, ...]:
    """Compiled, correct, and correct of what is compiled, each with its ends."""
    clusters = Clusters(own.task.codes)
    right = judgement.right(own)
    compiled = clusters.shares(judgement.flag_compiled(own) | right)
    correct = clusters.shares(right)
    return *ends(compiled, 0), *ends(correct, 0), *_quotient(correct, compiled)


def _quotient(correct: Intervals, compiled: Intervals) -> tuple[Value, Value, Value]:
    """Tasks that compile are the draws of its interval, those that do at times as a part of one."""
    draws = float(compiled.value[0] * compiled.tasks[0])
    if not draws:
        return None, None, None
    value = float(correct.value[0] / compiled.value[0])
    low, high = wilson_ends(value, draws)
    return value, float(low), float(high)


def _speeds(
    own: AttemptFrame, sums: Sequence[Sums | None], judgement: Judgement
) -> tuple[Value, ...]:
    """By another standard than the chosen one nothing: it was timed on other cases."""
    if judgement not in timed_by(own):
        return (None,) * 7
    timed = judgement.right(own) & np.fromiter((one is not None for one in sums), bool, len(sums))
    found = [one for one, there in zip(sums, timed.tolist(), strict=True) if there and one]
    if not found:
        return 0, *(None,) * 6
    clusters = Clusters(own.task.codes[timed])
    speedup = cut(clusters.means([one.speedup for one in found]), np.inf)
    score = cut(clusters.means([one.score for one in found]))
    return len(found), *ends(speedup, 0), *ends(score, 0)
