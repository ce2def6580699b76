"""By whom a kernel counts as correct."""

from attempts_made import broken, made, wrong
from kernelbenchx.analysis.apply_standard import judge_by
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.analysis.paper_judgements import (
    BY_RULE,
    CALLED,
    JUDGEMENTS,
    OURS,
    STRICT,
    timed_by,
)
from kernelbenchx.analysis.published_attempts import attempts
from kernelbenchx.core.standards import Standard


def _answers(one: Attempt) -> list[bool | None]:
    return [judgement.correct(one) for judgement in JUDGEMENTS]


def test_the_papers_rule_and_each_standard_are_asked_apart() -> None:
    lucky = wrong(paper_called=True, paper_correct=True, basic=True, core=False)
    assert _answers(lucky) == [True, True, False, False]
    infeasible = made(paper_called=True, paper_correct=False, basic=True, core=True)
    assert _answers(infeasible) == [False, True, True, True]
    assert [one.name for one in OURS] == ["basic", "core", "strict"]


def test_what_was_not_judged_is_not_known() -> None:
    assert _answers(wrong()) == [None, None, None, False]
    reached = made(outcome="reached", stage="call", core=True)
    assert _answers(reached)[1:] == [None, None, None]
    assert CALLED.correct(reached) is True
    assert CALLED.correct(made(outcome="reached", stage="check")) is None
    found = frame_of([reached, made("math/sub")])
    assert STRICT.flag_judged(found).tolist() == [False, True]


def test_kernelbench_problems_have_kernelbenchs_rule() -> None:
    assert BY_RULE.correct(wrong(level=1, passes_1e_2=True, paper_correct=False)) is True
    assert BY_RULE.correct(wrong(level=1, paper_correct=True)) is None
    assert BY_RULE.called(broken(level=1, passes_1e_2=True)) is True
    assert BY_RULE.called(broken(level=1, passes_1e_2=False)) is False


def test_a_kernel_that_meets_a_standard_compiles_though_another_call_broke() -> None:
    one = broken(basic=True, core=False)
    assert [judgement.called(one) for judgement in OURS] == [True, False, False]
    assert BY_RULE.called(one) is None and CALLED.called(one) is False


def test_what_is_published_was_judged_by_the_papers_rule_alone() -> None:
    every = attempts()
    assert sum(bool(BY_RULE.correct(one)) for one in every) == sum(one.correct for one in every)
    assert all(judgement.correct(one) is None for one in every for judgement in (*OURS, CALLED))


def test_speed_is_of_the_chosen_standard_and_the_papers_rule_has_that_of_the_strict_one() -> None:
    given = [made(basic=True, core=True), wrong("math/sub", basic=True, core=True)]
    names = {
        standard: [one.name for one in timed_by(frame_of(judge_by(given, standard)))]
        for standard in Standard
    }
    assert names == {
        Standard.BASIC: ["basic"],
        Standard.CORE: ["core"],
        Standard.STRICT: ["the paper's rule", "strict"],
    }


def test_a_judgement_is_the_same_whatever_the_chosen_standard_is() -> None:
    given = [made(basic=True, core=True), broken("math/sub", basic=True, core=True)]
    for standard in Standard:
        chosen = judge_by(given, standard)
        assert [_answers(one)[1:] for one in chosen] == [[True] * 3, [True, True, False]]
        assert [CALLED.called(one) for one in chosen] == [True, False]
