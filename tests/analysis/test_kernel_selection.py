"""What is kept follows what a method saw; the verdict does not choose."""

import numpy as np
import pytest

from attempts_made import broken, made, wrong
from kept_samples import BROKEN, RIGHT, WRONG, answer, candidate, fast
from kernelbenchx.analysis.attempt import Attempt, FeedbackResult
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.analysis.kernel_selection import (
    kept_at_the_end,
    kept_by_turn,
    number_answers,
    turns_of,
)


def _kept(*attempts: Attempt) -> list[str]:
    """Names of what one line keeps after each of its rounds."""
    one = np.zeros(len(attempts), np.int64)
    rows, _, _ = kept_by_turn(attempts, one, one)
    return [attempts[row].submission for row in rows]


def _names(*pairs: tuple[int, int]) -> list[str]:
    return [f"t/a__{turn}.{slot}" for turn, slot in pairs]


def test_the_first_that_was_seen_to_be_right_stays_whatever_comes_later() -> None:
    first = candidate("t/a", 0, 1, RIGHT, right=True)
    later = candidate("t/a", 1, 0, RIGHT, right=True)
    lost = candidate("t/a", 2, 0, WRONG, right=False)
    assert _kept(first, later, lost) == _names((0, 1), (0, 1), (0, 1))


def test_a_verdict_chooses_nothing() -> None:
    """The kernel that looked right is kept though it is wrong, and the other way round."""
    looked = candidate("t/a", 0, 0, RIGHT, right=False)
    missed = candidate("t/a", 1, 0, WRONG, right=True)
    assert _kept(looked, missed) == _names((0, 0), (0, 0))


@pytest.mark.parametrize(
    ("second", "kept"), [(fast(2.0), (1, 0)), (fast(1.0), (0, 0)), (RIGHT, (0, 0))]
)
def test_of_those_seen_to_be_right_the_fastest_is_kept(
    second: FeedbackResult, kept: tuple[int, int]
) -> None:
    first = candidate("t/a", 0, 0, fast(1.5), right=True)
    assert _kept(first, candidate("t/a", 1, 0, second, right=True)) == _names((0, 0), kept)


def test_triton_alone_comes_before_mixed_and_faster() -> None:
    mixed = FeedbackResult(correct=True, called=True, pure=False, speedup=9.0)
    pure = candidate("t/a", 1, 0, RIGHT, right=True)
    assert _kept(candidate("t/a", 0, 0, mixed, right=True), pure) == _names((0, 0), (1, 0))


def test_without_a_right_one_the_last_that_ran_or_was_never_looked_at_is_kept() -> None:
    ran = candidate("t/a", 0, 0, WRONG, right=False)
    fell = candidate("t/a", 1, 0, BROKEN, right=False)
    unseen = candidate("t/a", 2, 0, None, right=True)
    assert _kept(ran, fell, unseen) == _names((0, 0), (0, 0), (2, 0))
    assert _kept(candidate("t/a", 0, 0, RIGHT, right=True), unseen) == _names((0, 0), (0, 0))


def test_a_kernel_that_passed_its_own_test_is_kept_before_one_that_did_not() -> None:
    passed = candidate("t/a", 0, 0, None, right=True, passed_own_test=True)
    failed = candidate("t/a", 1, 0, None, right=False, passed_own_test=False)
    assert _kept(passed, failed) == _names((0, 0), (0, 0))
    assert _kept(failed, passed) == _names((0, 0), (0, 0)), "rounds decide, not their order here"


def test_what_is_handed_in_belongs_to_the_last_round_and_names_what_was_kept() -> None:
    """Grades that are not recorded may choose: the parent says which kernel it was."""
    first = candidate("t/a", 0, 0, RIGHT, right=True)
    chosen = candidate("t/a", 1, 3, RIGHT, right=True)
    last = candidate("t/a", 2, 0, WRONG, right=False)
    handed = answer(chosen, 3)
    assert _kept(first, chosen, last, handed) == [*_names((0, 0), (1, 3)), "t/a__answer"]
    one = np.zeros(4, np.int64)
    assert turns_of((first, chosen, last, handed), one).tolist() == [0, 1, 2, 2]
    assert kept_at_the_end((first, chosen, last, handed), one).tolist() == [3]


def test_files_from_elsewhere_stand_at_their_last_round() -> None:
    given = [made("t/a", round=0), wrong("t/a", round=1), broken("t/a", round=2)]
    assert _kept(*given) == [one.submission for one in given]


def test_a_line_begins_with_its_first_round_and_is_carried_through_those_of_its_author() -> None:
    given = [made("t/a", round=0), made("t/a", round=2), made("t/b", round=1)]
    rows, turns, answers = kept_by_turn(given, np.asarray([0, 0, 1]), np.zeros(3, np.int64))
    assert list(zip(rows.tolist(), turns.tolist(), answers.tolist(), strict=True)) == [
        (0, 0, 0), (0, 1, 0), (1, 2, 0), (2, 1, 1), (2, 2, 1),
    ]  # fmt: skip


def test_samples_and_runs_end_in_answers_of_their_own_and_candidates_do_not() -> None:
    first, second = (candidate("t/a", 0, slot, WRONG, right=False) for slot in (0, 1))
    assert len(set(number_answers([first, second], [0, 1]).tolist())) == 1
    other = candidate("t/a", 0, 1, WRONG, right=False, run="other")
    assert len(set(number_answers([first, other], [0, 0]).tolist())) == 2
    samples = [made("t/a", step=f"sample {n}", key=str(n)) for n in (0, 1, 10)]
    assert len(set(number_answers(samples, [0, 1, 10]).tolist())) == 3
    files = [made("t/a", key=str(n)) for n in range(3)]
    assert len(set(number_answers(files, [0, 1, 0]).tolist())) == 2


def test_frames_give_what_is_handed_in_for_each_task_and_card() -> None:
    given = [
        candidate("t/a", 0, 0, RIGHT, right=True),
        candidate("t/a", 1, 0, WRONG, right=False),
        candidate("t/a", 0, 0, WRONG, right=False, gpu="other", key="o"),
        candidate("t/b", 0, 0, WRONG, right=False),
    ]
    frame = frame_of(given)
    assert sorted((one.task, one.gpu, one.round) for one in frame.last.attempts) == [
        ("t/a", "card", 0), ("t/a", "other", 0), ("t/b", "card", 0),
    ]  # fmt: skip
    assert sorted(zip(frame.kept.turn.tolist(), frame.kept.card.codes.tolist(), strict=True)) == [
        (0, 0), (0, 0), (0, 1), (1, 0), (1, 0),
    ]  # fmt: skip
    assert len(frame_of([]).kept) == 0
