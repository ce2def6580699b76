"""The kernel that a method would hand in after each round, chosen by the method's feedback.

A method sees its kernels on calls that are not those of the verdict, and may see their times. The
best that it saw to be correct is kept: Triton alone before mixed, then the fastest, then the
first. Without one, it keeps the last that ran or that it never looked at. A kernel that was handed
in is the last word, and the candidate it repeats is kept from its round on.

Files from elsewhere say nothing about what their author saw: there, the last round is kept.
"""

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from kernelbenchx.analysis.attempt import Attempt

Codes = NDArray[np.int64]

_SAMPLE = re.compile(r"sample (\d+)(?:/|$)")
_Order = tuple[int, float, float, int, int]


def number_answers(attempts: Sequence[Attempt], lines: Iterable[int]) -> Codes:
    """Equal numbers for attempts at one task that end in one answer.

    A method gives one answer for a task in each run, and one for each `sample N` that begins its
    steps. For files that no kbx method wrote, every line gives one.
    """
    seen: dict[Hashable, int] = {}
    found = (
        seen.setdefault((one.run, sample_of(one.step)) if one.step else line, len(seen))
        for one, line in zip(attempts, lines, strict=True)
    )
    return np.fromiter(found, np.int64, len(attempts))


def turns_of(attempts: Sequence[Attempt], answers: Codes) -> Codes:
    """The round of each; what is handed in belongs to the round before it.

    `answers` has equal numbers for attempts that end in one answer.
    """
    last: dict[int, int] = {}
    for one, answer in zip(attempts, answers.tolist(), strict=True):
        if not one.handed_in:
            last[answer] = max(last.get(answer, 0), one.round)
    pairs = zip(attempts, answers.tolist(), strict=True)
    found = (last.get(answer, 0) if one.handed_in else one.round for one, answer in pairs)
    return np.fromiter(found, np.int64, len(attempts))


def kept_at_the_end(attempts: Sequence[Attempt], answers: Codes) -> Codes:
    """The row of the kernel that each answer ends in, in the order of rows."""
    ended = [rows[-1] for rows, _ in _histories(attempts, answers)]
    return np.asarray(sorted(ended), np.int64)


def kept_by_turn(
    attempts: Sequence[Attempt], answers: Codes, authors: Codes
) -> tuple[Codes, Codes, Codes]:
    """For each answer and each round of its author from its first on: the row that is kept, the
    round, and the answer."""
    turns = turns_of(attempts, answers)
    every = {int(code): np.unique(turns[authors == code]).tolist() for code in np.unique(authors)}
    found: list[tuple[int, int, int]] = []
    for rows, own in _histories(attempts, answers):
        place = 0
        for turn in every[int(authors[rows[0]])]:
            if turn < own[0]:
                continue
            while place + 1 < len(own) and own[place + 1] <= turn:
                place += 1
            found.append((rows[place], turn, int(answers[rows[0]])))
    table = np.asarray(found, np.int64).reshape(-1, 3)
    return table[:, 0], table[:, 1], table[:, 2]


def _histories(
    attempts: Sequence[Attempt], answers: Codes
) -> Iterator[tuple[list[int], list[int]]]:
    """Of each answer: rows that were kept, and the rounds since when, in order."""
    turns = turns_of(attempts, answers).tolist()
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for row, answer in enumerate(answers.tolist()):
        groups[answer].append(row)
    for rows in groups.values():
        yield _history([(turns[row], attempts[row], row) for row in rows])


def _history(made: list[tuple[int, Attempt, int]]) -> tuple[list[int], list[int]]:
    handed = next((one for _, one, _ in made if one.handed_in), None)
    made = sorted(made, key=lambda each: (each[0], each[1].handed_in, each[1].sample))
    rows: list[int] = []
    since: list[int] = []
    best: tuple[bool, _Order] | None = None
    for turn, one, row in made:
        # What is handed in later was the best as soon as it was written.
        chosen = handed is not None and handed.parent == one.submission
        order = one.handed_in or chosen, _order(one)
        if best is not None and not one.handed_in and order <= best:
            continue
        best = order
        if since and since[-1] == turn:
            rows[-1] = row
        else:
            rows.append(row)
            since.append(turn)
    return rows, since


def _order(one: Attempt) -> _Order:
    """What is kept compares higher."""
    seen = one.seen
    if not one.step:
        return 1, 0.0, 0.0, one.round, one.sample
    if seen is not None and seen.correct:
        return 3, float(seen.pure), seen.speedup or 0.0, -one.round, -one.sample
    if seen is None and one.passed_own_test:
        return 2, 0.0, 0.0, one.round, -one.sample
    runs = seen is None or seen.called
    return int(runs), 0.0, 0.0, one.round, one.sample


def sample_of(step: str) -> int:
    """Which of several independent answers a step belongs to."""
    found = _SAMPLE.match(step)
    return int(found[1]) if found else 0
