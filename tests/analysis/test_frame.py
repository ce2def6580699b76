"""Who stands for whom: void, evaluated again, last rounds, names."""

import numpy as np

from attempts_made import made, void, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.authors import NOT_SAID
from kernelbenchx.analysis.frame import (
    ANY_GPU,
    NO_GPU,
    cross_columns,
    encode_labels,
    frame_of,
)


def test_void_ones_are_counted_apart() -> None:
    found = frame_of([made("a"), void("b"), void("c")])
    assert len(found) == 1 and found.void == 2
    assert found.notes == ("2 void: not judged, not counted.",)
    assert frame_of([made("a")]).notes == ()


def test_a_submission_evaluated_again_on_its_card_counts_once() -> None:
    first, again = made("a", run="1", key="1"), wrong("a", run="2", key="2")
    found = frame_of([first, again])
    assert list(found.attempts) == [first]
    assert found.repeated == 1 and "counted once" in found.notes[0]
    elsewhere = frame_of([first, wrong("a", run="2", key="2", gpu="other")])
    assert len(elsewhere) == 2 and elsewhere.repeated == 0
    rewritten = frame_of([first, wrong("a", run="2", key="2", digest="new")])
    assert len(rewritten) == 2


def test_what_was_void_first_stands_when_it_was_judged_later() -> None:
    later = made("a", run="2", key="2")
    found = frame_of([void("a", run="1", key="1"), later])
    assert list(found.attempts) == [later]
    assert (found.void, found.repeated) == (0, 1)


def test_cards_and_the_interpreter_have_names_of_their_own() -> None:
    given = [made("a"), made("a", gpu="", device="interpreter"), made("a", gpu="")]
    assert frame_of(given).card.labels == ("card", NO_GPU, ANY_GPU)


def test_a_method_is_named_with_its_model_only_where_it_has_several() -> None:
    given = [made("a", method="one", model="x"), made("a", method="two", model="x"),
             made("b", method="two", model="y", digest="2"), made("a", method="", model="z"),
             made("b", method="", model="", digest="3")]  # fmt: skip
    found = frame_of(given)
    names = [found.author.labels[code] for code in found.author.codes]
    assert names == ["one", "two (x)", "two (y)", "z", NOT_SAID]


def test_a_line_has_the_same_number_in_every_round_over_all_runs() -> None:
    def one(name: str, run: str, number: int) -> Attempt:
        return made("a", submission=name, digest=name, run=run, round=number)

    given = [one("a0", "1", 0), one("b0", "1", 0), one("a1", "2", 1), one("b1", "2", 1)]
    assert frame_of(given).line.tolist() == [0, 1, 0, 1]


def test_a_void_one_keeps_its_number() -> None:
    given = [void("a", submission="x", digest="x"), made("a", submission="y", digest="y")]
    assert frame_of(given).line.tolist() == [1]


def test_a_sample_that_stopped_leaves_its_line_to_nobody() -> None:
    first = [made("a", round=0, sample=n, submission=f"0-{n}", digest=f"0-{n}") for n in range(3)]
    later = [made("a", round=1, sample=n, submission=f"1-{n}", digest=f"1-{n}") for n in (0, 2)]
    assert frame_of([*first, *later]).line.tolist() == [0, 1, 2, 0, 2]
    again = [made("a", round=0, sample=0, run="2", submission="x", digest="x")]
    assert frame_of([*first, *later, *again]).line.tolist() == [0, 1, 2, 0, 1, 3]


def test_the_last_round_that_counts_stands_for_a_task() -> None:
    given = [made("a", round=0), wrong("a", round=1), void("a", round=2), made("b", round=0),
             made("a", method="other", round=0)]  # fmt: skip
    found = frame_of(given).last
    assert [(one.task, one.method, one.round) for one in found.attempts] == [
        ("a", "m", 1),
        ("b", "m", 0),
        ("a", "other", 0),
    ]
    assert found.void == 1
    assert len(frame_of([]).last) == 0


def test_columns_of_attempts() -> None:
    found = frame_of([made("a", 2.0), wrong("b", round=3)])
    assert found.flags(lambda one: one.correct).tolist() == [True, False]
    score = found.numbers(lambda one: one.score)
    assert score[0] == 0.5 and np.isnan(score[1])
    assert found.rounds.tolist() == [0, 3]
    few = found.pick(np.array([False, True]))
    assert [one.task for one in few.attempts] == ["b"]
    assert few.task.labels == ("a", "b") and few.task.codes.tolist() == [1]


def test_codes_follow_sorted_labels() -> None:
    found = encode_labels(["b", "a", "b", "c"])
    assert found.labels == ("a", "b", "c")
    assert found.codes.tolist() == [1, 0, 1, 2]
    assert encode_labels([]).labels == ()


def test_only_combinations_that_occur_have_a_code() -> None:
    found = cross_columns(encode_labels(["x", "y", "x"]), encode_labels([2, 1, 2]))
    assert found.labels == (("x", 2), ("y", 1))
    assert found.codes.tolist() == [0, 1, 0]
