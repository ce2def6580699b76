"""Claims about choices: methods that differ in one of them alone."""

import pytest

from attempts_made import made, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.claim_choices import choice_findings, chosen_as, claim_of
from kernelbenchx.analysis.claim_findings import ClaimVerdict
from kernelbenchx.analysis.frame import frame_of


def _claim(less: str, more: str, models: tuple[str, str] = ("x", "x")) -> str | None:
    return claim_of(chosen_as(less, less, models[0]), chosen_as(more, more, models[1]))


@pytest.mark.parametrize(
    ("less", "more", "claim"),
    [
        ("refine feedback=G", "refine feedback=G+E", "gain_by_execution_feedback"),
        ("refine feedback=G+E", "refine feedback=G+E+P", "gain_by_profile"),
        ("refine feedback=G+E", "refine feedback=G", None),
        ("refine feedback=G", "refine feedback=G+E+P", None),
        ("refine feedback=G rounds=5", "refine feedback=G+E rounds=9", None),
        ("refine feedback=G templates=aa", "refine feedback=G+E templates=bb",
         "gain_by_execution_feedback"),
        ("sample examples=1", "sample examples=3", "examples_do_not_help"),
        ("sample examples=3", "sample examples=1", None),
        ("refine optimization=never", "refine optimization=when_slow", "examples_do_not_help"),
        ("refine optimization=when_slow", "refine optimization=never", None),
        ("refine optimization=always", "refine optimization=when_slow", None),
        ("sample hardware=none", "sample hardware=RTX 4090", "hardware_facts_help_little"),
        ("sample hardware=none hardware_facts=sheet", "sample hardware=H200 hardware_facts=terms",
         "hardware_facts_help_little"),
        ("sample hardware=H200 hardware_facts=a", "sample hardware=H200 hardware_facts=b", None),
        ("refine", "sample", None),
        ("refine feedback=G", "sample feedback=G+E", None),
    ],
)  # fmt: skip
def test_which_claim_a_pair_of_names_is_about(less: str, more: str, claim: str | None) -> None:
    assert _claim(less, more) == claim


def test_models_are_not_mixed() -> None:
    names = "refine feedback=G", "refine feedback=G+E"
    assert _claim(*names) and _claim(*names, models=("x", "y")) is None


def _runs(method: str, fast: range, tasks: int) -> list[Attempt]:
    return [
        made(f"m/{n}", 2.0, method=method) if n in fast else wrong(f"m/{n}", method=method)
        for n in range(tasks)
    ]


def test_a_gain_is_counted_over_the_tasks_that_both_tried() -> None:
    less = _runs("refine feedback=G", range(10), 60)
    more = _runs("refine feedback=G+E", range(40), 50)
    (one,) = choice_findings(frame_of([*less, *more]), "card")
    assert (one.claim, one.n) == ("gain_by_execution_feedback", 50)
    assert [one.first, one.second] == pytest.approx([20.0, 80.0])
    assert one.verdict is ClaimVerdict.HOLDS
    alike = _runs("refine feedback=G+E", range(10), 60)
    (none,) = choice_findings(frame_of([*less, *alike]), "card")
    assert none.value == 0.0 and none.verdict is ClaimVerdict.UNKNOWN
    worse = _runs("refine feedback=G+E", range(0), 60)
    (lost,) = choice_findings(frame_of([*less, *worse]), "card")
    assert lost.verdict is ClaimVerdict.FAILS


def test_other_seeds_are_said() -> None:
    less = [made("m/a", method="refine feedback=G", seed=1)]
    for seed, said in ((1, False), (2, True)):
        more = [made("m/a", method="refine feedback=G+E", seed=seed)]
        (one,) = choice_findings(frame_of([*less, *more]), "card")
        assert ("different seeds" in one.note) == said


def test_runs_that_share_no_task_are_not_compared() -> None:
    less = [made("m/a", method="refine feedback=G")]
    more = [made("m/b", method="refine feedback=G+E")]
    assert list(choice_findings(frame_of([*less, *more]), "card")) == []
