"""Steps from an attempt to the one derived from it, and which steps changed something.

The same code is never a step forward or back, whatever was measured of it. Speed changes where the
intervals of both speedups lie apart, by more than the noise of the GPU, and both were measured in
the same way.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from kernelbenchx.analysis.attempt import Attempt, Speed
from kernelbenchx.analysis.frame import frame_of, gpu_of
from kernelbenchx.analysis.noise import Noise, noise_of

TIE = math.log(1.01)
"""A smaller change of speed is none, also where a GPU is known to measure more finely."""


class Kind(StrEnum):
    """What a step changed."""

    FAIL_TO_PASS = "fail_to_pass"
    PASS_TO_FAIL = "pass_to_fail"
    CALL_FAIL_TO_PASS = "call_fail_to_pass"
    """Did not run before, and gives a wrong answer now."""
    CALL_PASS_TO_FAIL = "call_pass_to_fail"
    """Gave a wrong answer before, and does not run now."""
    FASTER = "faster"
    SLOWER = "slower"
    SAME_CODE = "same_code"
    STILL_FAILS = "still_fails"
    NO_TIMES = "no_times"
    """Correct before and after, and not both of them with a time that can be trusted."""
    OTHER_TIER = "other_tier"
    """Both have a time, each from another kind of clock."""
    WITHIN_NOISE = "within_noise"


CHANGES = (
    Kind.FAIL_TO_PASS,
    Kind.PASS_TO_FAIL,
    Kind.CALL_FAIL_TO_PASS,
    Kind.CALL_PASS_TO_FAIL,
    Kind.FASTER,
    Kind.SLOWER,
)
"""The kinds that are reported; the others are only counted."""


@dataclass(frozen=True, slots=True)
class Step:
    """Two attempts at one task, the second after the first."""

    kind: Kind
    before: Attempt
    after: Attempt
    by_parent: bool
    """The second names the first as what it was made from; else it is the next of its line."""
    floor: float | None
    """Noise floor of a change in log speedup on that GPU; None where no code was measured twice."""

    @property
    def factor(self) -> float | None:
        """How many times as fast the second is, where both have times."""
        if self.before.eager is None or self.after.eager is None or self.kind in _NOT_COMPARED:
            return None
        return self.after.eager.speedup / self.before.eager.speedup


_NOT_COMPARED = (Kind.OTHER_TIER, Kind.STILL_FAILS, *CHANGES[:4])


def steps_of(attempts: Sequence[Attempt]) -> Iterator[Step]:
    """Every step of every line, by task; one for each attempt that has something before it."""
    noise = noise_of(attempts)
    for group in _groups(attempts):
        floor, named, last = _floor(noise, group[0].attempt), _index_by_name(group), group[0]
        for previous, one in pairwise((group[0], *group)):
            last = previous if previous.attempt.round < one.attempt.round else last
            parent = _parent(one, named)
            if parent is not None or _goes_on(last, one):
                before, after = parent or last.attempt, one.attempt
                kind = _kind(before, after, floor)
                yield Step(kind, before, after, parent is not None, floor)


@dataclass(frozen=True, slots=True)
class _LineAttempt:
    attempt: Attempt
    line: int

    @property
    def author(self) -> tuple[str, str, int]:
        return self.attempt.method, self.attempt.model, self.line


def _groups(attempts: Sequence[Attempt]) -> Iterator[list[_LineAttempt]]:
    """Those at one task on one GPU, authors and lines together, rounds in order."""
    frame = frame_of(attempts)
    found: defaultdict[tuple[str, str], list[_LineAttempt]] = defaultdict(list)
    for one, line in zip(frame.attempts, frame.line.tolist(), strict=True):
        if one.outcome != "reached":
            found[one.task, gpu_of(one)].append(_LineAttempt(one, line))
    for name in sorted(found):
        yield sorted(found[name], key=lambda one: (*one.author, one.attempt.round, one.attempt.key))


def _index_by_name(group: Sequence[_LineAttempt]) -> dict[str, list[_LineAttempt]]:
    """By both names that a child may use; a submission's is unique only in its run."""
    found: defaultdict[str, list[_LineAttempt]] = defaultdict(list)
    for one in group:
        for name in {one.attempt.submission, one.attempt.digest}:
            found[name].append(one)
    return found


def _parent(one: _LineAttempt, named: Mapping[str, Sequence[_LineAttempt]]) -> Attempt | None:
    """What it says that it was made from, of an earlier round; rather of its own line."""
    child = one.attempt
    could = [
        other
        for other in named.get(child.parent, ())
        if other.attempt.round < child.round
        and (other.attempt.run == child.run or other.attempt.digest == child.parent)
    ]
    best = max(
        could, key=lambda other: (other.author == one.author, other.attempt.round), default=None
    )
    return best.attempt if best else None


def _goes_on(last: _LineAttempt, one: _LineAttempt) -> bool:
    return last.author == one.author and last.attempt.round < one.attempt.round


def _floor(noise: Mapping[str, Noise], attempt: Attempt) -> float | None:
    known = noise.get(gpu_of(attempt))
    return known.floor if known else None


def _kind(before: Attempt, after: Attempt, floor: float | None) -> Kind:
    if before.digest == after.digest:
        return Kind.SAME_CODE
    if before.correct != after.correct:
        return Kind.FAIL_TO_PASS if after.correct else Kind.PASS_TO_FAIL
    if before.called != after.called:
        return Kind.CALL_FAIL_TO_PASS if after.called else Kind.CALL_PASS_TO_FAIL
    if not after.correct:
        return Kind.STILL_FAILS
    if not (before.timed and after.timed and before.eager and after.eager):
        return Kind.NO_TIMES
    if before.tier != after.tier:
        return Kind.OTHER_TIER
    return _compare_speeds(before.eager, after.eager, floor or 0.0)


def _compare_speeds(before: Speed, after: Speed, floor: float) -> Kind:
    change = math.log(after.speedup / before.speedup)
    if abs(change) <= max(floor, TIE):
        return Kind.WITHIN_NOISE
    if after.low > before.high:
        return Kind.FASTER
    return Kind.SLOWER if after.high < before.low else Kind.WITHIN_NOISE
