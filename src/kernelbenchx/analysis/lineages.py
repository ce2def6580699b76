"""What each line of attempts at a task would hand in after each round: the kernel that is kept.

A line that made no attempt in a round, because it had stopped or because that attempt is void,
stands where it stood before.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from kernelbenchx.analysis.frame import AttemptFrame, Flags, cross_columns, encode_labels
from kernelbenchx.analysis.intervals import Codes, Floats
from kernelbenchx.analysis.kernel_selection import kept_by_turn
from kernelbenchx.analysis.timed_kernels import EAGER, speedups

NOTHING = -1
PURE, ANY = "pure", "pure or mixed"


@dataclass(frozen=True, kw_only=True)
class Speeds:
    """Speedup over eager and Score of a line's kernels, in the rows of its frame."""

    composition: str
    """`PURE`, or `ANY` where mixed kernels exist too: then both are reported, one by one."""
    over: Floats
    """NaN where a kernel has no time or another composition."""
    score: Floats


@dataclass(frozen=True, kw_only=True)
class Lineages:
    """All lines of one author on one GPU."""

    card: str
    author: str
    frame: AttemptFrame
    rounds: tuple[int, ...]
    at: Codes
    """Lines by rounds: the row of the frame that a line keeps; `NOTHING` before its first."""
    fresh: Flags
    """Lines by rounds: an attempt was made in that round."""
    tasks: Codes
    """The task of each line."""

    @cached_property
    def correct(self) -> Flags:
        """Which attempts of the frame are."""
        return self.frame.flags(lambda one: one.correct)

    @cached_property
    def digest(self) -> Codes:
        """Equal numbers for equal code, in the rows of the frame."""
        return self.frame.encode_by(lambda one: one.digest).codes

    def same_code(self, before: int, after: int) -> Flags:
        """Which lines stand at the same source at both places in `rounds`."""
        same = self.digest[self.at[:, before]] == self.digest[self.at[:, after]]
        return np.asarray(same & self.standing(before))

    @cached_property
    def measurement(self) -> Codes:
        """Equal numbers for attempts that share one measurement, in the rows of the frame."""
        rows = enumerate(self.frame.attempts)
        return encode_labels((one.run, one.content_key or str(row)) for row, one in rows).codes

    def same_measurement(self, before: int, after: int) -> Flags:
        """Which lines stand at one measurement at both places in `rounds`."""
        same = self.measurement[self.at[:, before]] == self.measurement[self.at[:, after]]
        return np.asarray(same & self.standing(before))

    def standing(self, number: int) -> Flags:
        """Which lines have begun by that place in `rounds`."""
        return np.asarray(self.at[:, number] != NOTHING)

    def flags(self, of: Flags, number: int) -> Flags:
        """A column of the frame as the lines stand; no where a line has not begun."""
        return of[self.at[:, number]] & self.standing(number)

    def numbers(self, of: Floats, number: int) -> Floats:
        """The same of numbers; NaN where a line has not begun."""
        return np.where(self.standing(number), of[self.at[:, number]], np.nan)

    def steps(self) -> Iterator[tuple[int, int]]:
        """From each round to the next."""
        yield from pairwise(range(len(self.rounds)))

    @cached_property
    def speeds(self) -> list[Speeds]:
        """Of pure kernels, and where some are mixed, of all; none where nothing has a time."""
        over = speedups(self.frame, EAGER)
        score = self.frame.numbers(lambda one: one.score)
        pure = self.frame.flags(lambda one: one.composition == PURE)
        timed = np.isfinite(over) & (over > 0)
        kinds = {PURE: timed & pure} if (timed & pure).any() else {}
        if (timed & ~pure).any():
            kinds[ANY] = timed
        return [
            Speeds(
                composition=name,
                over=np.where(own, over, np.nan),
                score=np.where(own, score, np.nan),
            )
            for name, own in kinds.items()
        ]


def build_lineages(frame: AttemptFrame) -> list[Lineages]:
    """For each GPU and author with more than one round; what was not judged has no line."""
    judged = frame.pick(frame.flags(lambda one: one.outcome != "reached"))
    groups = cross_columns(judged.card, judged.author)
    found = []
    for code, (card, author) in enumerate(groups.labels):
        own = judged.pick(groups.codes == code)
        if tried_again(own):
            found.append(_lines(card, author, own))
    return found


def tried_again(frame: AttemptFrame) -> bool:
    """Whether some attempt of this author was made in a later round, or handed in again."""
    return np.unique(frame.rounds).size > 1


def _lines(card: str, author: str, frame: AttemptFrame) -> Lineages:
    one_author = np.zeros(len(frame), np.int64)
    rows, turns, answers = kept_by_turn(list(frame.attempts), frame.answer, one_author)
    rounds, column = np.unique(turns, return_inverse=True)
    named, line = np.unique(answers, return_inverse=True)
    at = np.full((named.size, rounds.size), NOTHING, np.int64)
    at[line, column] = rows
    fresh = np.zeros(at.shape, bool)
    fresh[np.searchsorted(named, frame.answer), np.searchsorted(rounds, frame.turn)] = True
    return Lineages(
        card=card,
        author=author,
        frame=frame,
        rounds=tuple(rounds.tolist()),
        at=at,
        fresh=fresh,
        tasks=frame.task.codes[at[:, -1]],
    )
