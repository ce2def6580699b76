"""Attempts as columns, with the rows that count for each author.

Void evaluations and verdicts on unsound problems do not count. A submission that was evaluated
again on the same GPU counts once. Results of different GPUs, or of the interpreter, are never
mixed.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.authors import NOT_SAID, author_names
from kernelbenchx.analysis.intervals import Codes, Floats
from kernelbenchx.analysis.kernel_selection import (
    kept_at_the_end,
    kept_by_turn,
    number_answers,
    turns_of,
)
from kernelbenchx.core.grades import Grade

Flags = NDArray[np.bool_]
Index = Codes | Flags

NO_GPU = "interpreter"
ANY_GPU = NOT_SAID
"""A GPU without a recorded name."""


@dataclass(frozen=True)
class CodedColumn:
    """A column of words as numbers: `labels[codes[row]]`, labels in order."""

    codes: Codes
    labels: tuple[Any, ...]

    def pick(self, rows: Index) -> "CodedColumn":
        """The same labels for fewer rows."""
        return CodedColumn(self.codes[rows], self.labels)


@dataclass(frozen=True)
class AttemptAnswers:
    """A yes-or-no property of attempts: which attempts have a value, and the values."""

    askable: Flags
    yes: Flags


@dataclass(frozen=True, kw_only=True)
class AttemptFrame:
    """Attempts that count, with the columns that every analysis groups by."""

    attempts: NDArray[np.object_]
    card: CodedColumn
    author: CodedColumn
    """Method, with its model where it was used with several."""
    task: CodedColumn
    line: Codes
    """Which of several attempts of one author at one task in one round; the same in all rounds."""
    answer: Codes
    """Equal numbers for attempts of one author at one task on one GPU that end in one answer."""
    turn: Codes
    """The round after which each is looked at: its own, unless it is kept."""
    clocked: Flags
    """Whether each belongs to a run that took times."""
    solved: Flags
    """Whether the author of each solved its task on its GPU, by this or any other attempt."""
    void: int = 0
    unsound: int = 0
    unjudged: int = 0
    repeated: int = 0

    def __len__(self) -> int:
        return len(self.attempts)

    def pick(self, rows: Index) -> "AttemptFrame":
        """Fewer rows, or rows in another order."""
        return replace(
            self,
            attempts=self.attempts[rows],
            card=self.card.pick(rows),
            author=self.author.pick(rows),
            task=self.task.pick(rows),
            line=self.line[rows],
            answer=self.answer[rows],
            turn=self.turn[rows],
            clocked=self.clocked[rows],
            solved=self.solved[rows],
        )

    def flags(self, of: Callable[[Attempt], bool]) -> Flags:
        """A yes or no for each."""
        return np.fromiter(map(of, self.attempts), bool, len(self))

    def numbers(self, of: Callable[[Attempt], float | None]) -> Floats:
        """A number for each; NaN where there is none."""
        found = map(of, self.attempts)
        return np.fromiter((np.nan if one is None else one for one in found), float, len(self))

    def encode_by(self, of: Callable[[Attempt], Hashable]) -> CodedColumn:
        """A word for each, as a code."""
        return encode_labels(map(of, self.attempts))

    @property
    def rounds(self) -> Codes:
        """The round of each."""
        return np.fromiter((one.round for one in self.attempts), np.int64, len(self))

    @cached_property
    def mixed(self) -> Flags:
        """Those that are correct while torch does part of the work."""
        return self.flags(lambda one: one.correct and one.composition == "mixed")

    @cached_property
    def last(self) -> "AttemptFrame":
        """What each author hands in for each task: the kernels that are kept at the end."""
        return self.pick(kept_at_the_end(list(self.attempts), self.answer)) if len(self) else self

    @cached_property
    def kept(self) -> "AttemptFrame":
        """What each author would hand in after each round: a row for each answer and `turn`."""
        authors = cross_columns(self.card, self.author).codes if len(self) else self.answer
        rows, turns, _ = kept_by_turn(list(self.attempts), self.answer, authors)
        return replace(self.pick(rows), turn=turns)

    @cached_property
    def stages(self) -> dict[str, AttemptAnswers]:
        """How far attempts came: `called`, `core`, `corners`, `correct` and `timed`.

        What was stopped before a stage on purpose cannot be asked about it. Times are asked for
        where the run took some, and not of those whose times are not trusted. Corners matter only
        where the other calls differ.
        """
        reached = self.flags(lambda one: one.outcome == "reached")
        unchecked = reached & self.flags(lambda one: one.stage == "check")
        correct = self.flags(lambda one: one.correct)
        unmeasured = self.flags(lambda one: one.own_performance == "unmeasured")
        timed = correct & self.flags(lambda one: one.own_performance == "timed")
        return {
            "called": AttemptAnswers(~unchecked, self.flags(lambda one: one.called)),
            "core": AttemptAnswers(
                self.flags(lambda one: one.core is not None), self.flags(lambda one: bool(one.core))
            ),
            "corners": self._corners,
            "correct": AttemptAnswers(~reached, correct),
            "timed": AttemptAnswers(self.clocked & ~reached & ~unmeasured, timed),
        }

    @cached_property
    def seed(self) -> CodedColumn:
        """What drew the calls of each."""
        return self.encode_by(lambda one: one.seed)

    @property
    def differs_in_calls(self) -> bool:
        """Whether these attempts come from runs with several seeds."""
        return len(self.seed.labels) > 1

    @property
    def _corners(self) -> AttemptAnswers:
        """One that failed before its first case has none, and fails; unless its run did not record
        which cases are corners."""
        known = self.flags(lambda one: one.corners is not None)
        unknown = self.flags(lambda one: one.corners is None and one.scopes != ())
        before = self.flags(lambda one: one.core is False and not one.scopes)
        lost = before & ~any_in_group(self.encode_by(lambda one: one.run), unknown)
        askable = known | lost if self.differs_in_calls else np.zeros(len(self), bool)
        return AttemptAnswers(askable, self.flags(lambda one: bool(one.corners)))

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on what was left out, for the foot of a table."""
        said = []
        if self.void:
            said.append(f"{self.void} void: not judged, not counted.")
        if self.unsound:
            said.append(f"{self.unsound} on problems {Grade.UNSOUND}: not counted.")
        if self.unjudged:
            said.append(f"{self.unjudged} had no case of the standard: not counted.")
        if self.repeated:
            said.append(f"{self.repeated} evaluated again on the same GPU: counted once.")
        return tuple(said)


def any_in_group(groups: CodedColumn, flags: Flags) -> Flags:
    """Whether any of the same group has it."""
    found = np.zeros(max(1, len(groups.labels)), bool)
    found[groups.codes[flags]] = True
    return found[groups.codes]


def frame_of(
    attempts: Sequence[Attempt], counts: Callable[[Attempt], bool] = lambda one: one.counts
) -> AttemptFrame:
    """All attempts that count, each submission once on each GPU.

    An analysis that sets void and unsound ones apart itself lets them count.
    """
    once = _drop_repeats(attempts)
    line = _number_lines(once)
    counted = [place for place, one in enumerate(once) if counts(one)]
    kept = [once[place] for place in counted]
    names = author_names(kept)
    held = np.empty(len(kept), object)
    held[:] = kept
    card = encode_labels(map(gpu_of, kept))
    author = encode_labels(names[one.method, one.model] for one in kept)
    task = encode_labels(one.task for one in kept)
    places = cross_columns(card, author, task)
    right = np.fromiter((one.solved for one in kept), bool, len(kept))
    lines = line[np.asarray(counted, np.int64)]
    answer = cross_columns(
        places, encode_labels(number_answers(kept, lines.tolist()).tolist())
    ).codes
    return AttemptFrame(
        attempts=held,
        card=card,
        author=author,
        task=task,
        line=lines,
        answer=answer,
        turn=turns_of(kept, answer),
        clocked=_flag_timed_runs(kept, card, right),
        solved=any_in_group(places, right),
        void=sum(one.void for one in once),
        unsound=sum(one.unsound and not one.void for one in once),
        unjudged=sum(one.unjudged and not one.unsound for one in once),
        repeated=len(attempts) - len(once),
    )


def _flag_timed_runs(attempts: Sequence[Attempt], card: CodedColumn, correct: Flags) -> Flags:
    """Those of runs that took times. One without a correct kernel had nothing to time: it took
    times if any other on its GPU did, or a method that never succeeds would not count."""
    run = encode_labels(one.run for one in attempts)
    taken = (one.took_times for one in attempts)
    here = np.fromiter(taken, bool, len(attempts))
    idle = ~any_in_group(run, correct) & any_in_group(card, here)
    return any_in_group(run, here) | idle


def gpu_of(attempt: Attempt) -> str:
    """The GPU or interpreter where it ran."""
    return attempt.gpu or (NO_GPU if attempt.device == "interpreter" else ANY_GPU)


def encode_labels(words: Iterable[Hashable]) -> CodedColumn:
    """Labels are sorted; codes follow them."""
    seen: dict[Any, int] = {}
    first = [seen.setdefault(word, len(seen)) for word in words]
    labels = sorted(seen)
    place = np.empty(len(labels), np.int64)
    place[[seen[label] for label in labels]] = np.arange(len(labels))
    return CodedColumn(place[np.asarray(first, np.int64)], tuple(labels))


def cross_columns(*columns: CodedColumn) -> CodedColumn:
    """Combinations that occur, in the order of the columns' labels; labels are tuples."""
    total = np.zeros_like(columns[0].codes)
    for column in columns:
        total = total * len(column.labels) + column.codes
    there, codes = np.unique(total, return_inverse=True)
    labels = []
    for combined in there.tolist():
        parts = []
        for column in reversed(columns):
            combined, code = divmod(combined, len(column.labels))
            parts.append(column.labels[code])
        labels.append(tuple(reversed(parts)))
    return CodedColumn(codes.astype(np.int64), tuple(labels))


def _drop_repeats(attempts: Sequence[Attempt]) -> list[Attempt]:
    """The first evaluation of each submission on each GPU that is not void."""
    found: dict[tuple[Hashable, ...], Attempt] = {}
    for one in attempts:
        same = (one.submission, one.digest, one.task, one.method, one.model, one.round)
        kept = found.setdefault((gpu_of(one), *same), one)
        if kept.void and not one.void:
            found[(gpu_of(one), *same)] = one
    return list(found.values())


def _number_lines(attempts: Sequence[Attempt]) -> Codes:
    """The line of each attempt. A line is a sample, so no other sample takes the line of one that
    stopped early; rounds may lie in folders of their own. Where folders number their samples alike
    in one round, they are counted."""
    names = [(gpu_of(one), one.method, one.model, one.task) for one in attempts]
    earlier: Counter[tuple[Hashable, ...]] = Counter()
    seen: set[tuple[Hashable, ...]] = set()
    unclear: set[tuple[Hashable, ...]] = set()
    counted = []
    for name, one in zip(names, attempts, strict=True):
        counted.append(earlier[name, one.round])
        earlier[name, one.round] += 1
        if (name, one.round, one.sample) in seen:
            unclear.add(name)
        seen.add((name, one.round, one.sample))
    lines = zip(names, attempts, counted, strict=True)
    found = (count if name in unclear else one.sample for name, one, count in lines)
    return np.fromiter(found, np.int64, len(attempts))
