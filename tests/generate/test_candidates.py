from dataclasses import replace

import msgspec

from desks import right
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Composition, Correct, Reached, Reason, Stage, Wrong
from kernelbenchx.core.performance import Failed
from kernelbenchx.generate.candidates import Candidate, CandidateSlot, answer, best
from kernelbenchx.generate.judged_kernel import JudgedKernel
from samples import evaluation, timed


def _candidate(source: str, *, round: int = 0, slot: int = 0, marks: float = 0.0) -> Candidate:
    made = msgspec.structs.replace(evaluation(source, right(source)), digest=source)
    return Candidate(
        judged=JudgedKernel(source, source, lambda: made),
        strategy="",
        marks=marks,
        round=round,
        slot=slot,
    )


def _seen_as(one: Candidate, found: Evaluation) -> Candidate:
    return replace(one, judged=replace(one.judged, look=lambda: found))


def test_only_what_is_right_is_kept_and_each_source_once() -> None:
    made = [
        _candidate("right a", marks=1),
        _candidate("no", marks=9),
        _candidate("right b", slot=1, marks=2),
        _candidate("right b", round=1, slot=2, marks=3),
    ]
    assert [one.judged.source for one in best(made, 5)] == ["right b", "right a"]
    assert best(made, 1)[0].round == 1
    assert best([made[1]], 5) == []


def test_among_equals_the_earlier_and_the_lower_slot_come_first() -> None:
    made = [_candidate(f"right {n}", round=n // 2, slot=n % 2) for n in (3, 2, 1, 0)]
    assert [(one.round, one.slot) for one in best(made, 3)] == [(0, 0), (0, 1), (1, 0)]


def test_what_torch_computes_a_part_of_comes_last() -> None:
    made = [_candidate("right mixed", marks=9), _candidate("right", slot=1)]
    evaluated = msgspec.structs.replace(
        made[0].judged.evaluation, composition=Composition.MIXED, performance=timed(9.0)
    )
    made[0] = _seen_as(made[0], evaluated)
    assert [one.judged.source for one in best(made, 5)] == ["right", "right mixed"]
    assert answer(made[:1]) is made[0]


def test_where_answers_are_not_compared_what_runs_is_better_than_what_does_not() -> None:
    raw = [_candidate("no a"), _candidate("no b", round=1), _candidate("no c", round=2)]
    reached = [
        _seen_as(raw[1], evaluation("x", Reached(stage=stage)))
        for stage in (Stage.CALL, Stage.CHECK)
    ]
    assert answer([raw[0], reached[0], raw[2]]) is reached[0]
    assert answer([raw[0], reached[1], raw[2]]) is raw[0]


def test_the_answer_is_right_or_ran_or_is_the_first() -> None:
    raw = [_candidate("no a"), _candidate("no b", round=1)]
    wrong = Wrong(case="c", reason=Reason.BAD_VALUES, detail="off")
    ran = [
        _seen_as(one, evaluation("x", wrong))
        for one in (_candidate("no c", round=1), _candidate("no d", round=2))
    ]
    right = [_candidate("right", round=0), _candidate("right too", round=3, marks=1)]
    assert answer(raw) is raw[0]
    assert answer([*raw, *ran, raw[1]]) is ran[1]
    assert answer([*raw, *right, *ran]) is right[1]


def test_what_fails_at_a_timed_size_is_not_right_but_ran() -> None:
    failed = Failed(case="n=9", reason=Reason.TIMED_WRONG, detail="other values")
    raw, right = _candidate("no a"), _candidate("right", round=2)
    large = _seen_as(raw, evaluation("x", performance=failed))
    assert best([large], 1) == []
    assert answer([raw, large]) is large
    assert answer([large, right]) is right
    slot = CandidateSlot(0)
    slot.line.append(large)
    assert slot.failing


def test_a_slot_counts_its_repairs_and_knows_when_it_fails() -> None:
    slot = CandidateSlot(0)
    assert (slot.repairs, slot.failing) == (0, False)
    slot.line.append(_candidate("no"))
    assert (slot.repairs, slot.failing) == (0, True)
    slot.line.append(_candidate("right", round=1))
    assert isinstance(slot.line[-1].judged.evaluation.outcome, Correct)
    assert (slot.repairs, slot.failing) == (1, False)


def test_the_last_attempt_is_remembered_whatever_its_marks() -> None:
    slot = CandidateSlot(
        0, [_candidate(str(n), round=n, marks=marks) for n, marks in enumerate((5, 1, 3, 0))]
    )
    assert [one.round for one in slot.select_attempts(3)] == [0, 2, 3]
    assert [one.round for one in slot.select_attempts(1)] == [3]
    assert [one.round for one in slot.select_attempts(9)] == [0, 1, 2, 3]
