"""pass@k, fast_p@k and rates within turns: what more samples and turns gain."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kernelbenchx.analysis.frame import AttemptFrame, Flags, cross_columns
from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import Clusters, Codes, Floats, pass_at_k
from kernelbenchx.analysis.rates import values_of_k
from kernelbenchx.analysis.table import Column, Table, Value, columns
from kernelbenchx.analysis.timed_kernels import BASELINES, speedups

PURE, ANY = "pure", "pure or mixed"
NO_BASELINE = "any speed"
_ABOUT = (
    "p = 0 is correct at any speed, of Triton alone or mixed. Above, a kernel counts that is "
    "correct and more than p times as fast. One without trusted times counts as not "
    "faster; in `at most` it counts as faster. Each task has the same weight; Wilson's interval "
    "with tasks for draws."
)
_HEAD = columns(
    ("gpu", "GPU"),
    ("baseline", "over"),
    ("composition", "composition"),
    ("method", "method"),
    ("p", "p", "number"),
)


@dataclass(frozen=True, kw_only=True)
class _Question:
    """One threshold: attempts that count for it, and those that are so fast."""

    named: tuple[Value, ...]
    """Baseline and composition."""
    p: float
    asked: Flags
    hits: Flags
    could: Flags
    """Hits, and those that might be for want of times that can be trusted."""


def fast_at_k(frame: AttemptFrame, thresholds: Sequence[float], notes: tuple[str, ...]) -> Table:
    """pass@k and fast_p@k over the answers of each method."""
    return Table(
        name="fast_p_at_k",
        title="At least one of k samples",
        about=(
            "The chance that at least one of k answers of a method to a task is good enough. It "
            "is one minus the share of all choices of k among them that hold none, which is "
            "unbiased; tasks with fewer answers are left out. " + _ABOUT
        ),
        columns=_columns(("k", "k"), ("samples", "samples")),
        rows=tuple(_sample_rows(frame.last, thresholds)),
        notes=notes,
    )


def within_turns(frame: AttemptFrame, thresholds: Sequence[float], notes: tuple[str, ...]) -> Table:
    """Solved, and fast, by any attempt up to a turn."""
    return Table(
        name="within_turns",
        title="At least one within so many turns",
        about=(
            "Share of lines with a good enough kernel among all that were written in their first "
            "turns, also where the method did not keep it; a turn is a round. " + _ABOUT
        ),
        columns=_columns(("turns", "turns"), ("lines", "lines")),
        rows=tuple(_turn_rows(frame, thresholds)),
        notes=notes,
    )


def _columns(along: tuple[str, str], of: tuple[str, str]) -> tuple[Column, ...]:
    return (
        *_HEAD,
        *columns((*along, "count"), ("tasks", "tasks", "count"), (*of, "count")),
        *interval("share", "share", "percent"),
        *columns(("at_most", "at most", "percent")),
    )


def _questions(frame: AttemptFrame, thresholds: Sequence[float]) -> Iterator[_Question]:
    """Correct at any speed; then each baseline, composition and p that there are times for."""
    right = frame.stages["correct"]
    every = right.askable & right.yes
    yield _Question(named=(NO_BASELINE, ANY), p=0.0, asked=right.askable, hits=every, could=every)
    pure = frame.flags(lambda one: one.composition == PURE)
    for baseline in BASELINES:
        speedup = speedups(frame, baseline)
        known = np.isfinite(speedup)
        kinds = {PURE: pure} if (known & pure).any() else {}
        if (known & ~pure).any():
            kinds[ANY] = np.ones(len(frame), bool)
        for composition, own in kinds.items():
            for p in sorted({one for one in thresholds if one > 0}):
                hits = every & own & known & (speedup > p)
                yield _Question(
                    named=(baseline, composition),
                    p=p,
                    asked=right.askable & frame.clocked,
                    hits=hits,
                    could=hits | (every & own & ~known),
                )


def _sample_rows(frame: AttemptFrame, thresholds: Sequence[float]) -> Iterator[tuple[Value, ...]]:
    for question in _questions(frame, thresholds):
        there = frame.pick(question.asked)
        if not len(there):
            continue
        groups = cross_columns(there.card, there.author)
        cells = cross_columns(there.card, there.author, there.task)
        tries = np.bincount(cells.codes)
        counts = [
            np.bincount(cells.codes, weights=hits[question.asked])
            for hits in (question.hits, question.could)
        ]
        for k in values_of_k(tries):
            known = (tries >= k)[cells.codes]
            at = Clusters(there.task.codes[known], groups.codes[known], len(groups.labels))
            share, most = (
                at.shares(pass_at_k(tries, one, k)[cells.codes][known]) for one in counts
            )
            for row, (card, author) in enumerate(groups.labels):
                if share.tasks[row]:
                    of = int(share.tasks[row]), int(share.n[row])
                    named = card, *question.named, author, question.p
                    yield *named, k, *of, *ends(share, row), ends(most, row)[0]


def _turn_rows(frame: AttemptFrame, thresholds: Sequence[float]) -> Iterator[tuple[Value, ...]]:
    if not len(frame):
        return
    groups = cross_columns(frame.card, frame.author)
    for question in _questions(frame, thresholds):
        for code, (card, author) in enumerate(groups.labels):
            own = question.asked & (groups.codes == code)
            if own.any():
                for row in _turns(frame, question, own):
                    yield card, *question.named, author, question.p, *row


def _turns(frame: AttemptFrame, question: _Question, own: Flags) -> Iterator[tuple[Value, ...]]:
    lines = _AnswerTurns(frame, own)
    first, could = lines.first(question.hits), lines.first(question.could)
    for turn in np.unique(frame.turn[own]).tolist():
        begun = lines.begun <= turn
        at = Clusters(lines.tasks[begun])
        share, most = at.shares(first[begun] <= turn), at.shares(could[begun] <= turn)
        of = int(share.tasks[0]), int(share.n[0])
        yield turn + 1, *of, *ends(share, 0), ends(most, 0)[0]


class _AnswerTurns:
    """Attempts of one author by the answer they end in."""

    def __init__(self, frame: AttemptFrame, rows: Flags) -> None:
        answers, at, self._line = np.unique(
            frame.answer[rows], return_index=True, return_inverse=True
        )
        self._rows, self._count = rows, answers.size
        self._turn = frame.turn[rows].astype(float)
        self.tasks: Codes = frame.task.codes[rows][at]
        self.begun = self.first(np.ones(len(frame), bool))

    def first(self, hits: Flags) -> Floats:
        """The first turn of each line with a hit; infinite where there is none."""
        found = np.full(self._count, np.inf)
        own = hits[self._rows]
        np.minimum.at(found, self._line[own], self._turn[own])
        return found
