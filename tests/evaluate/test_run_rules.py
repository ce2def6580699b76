"""The papers' rules in a run: beside the verdict, once, and later without a new verdict."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from kernelbenchx import BadInput, Evaluation, Evaluator, Settings, Submission
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.rules import KernelBenchXRule, Rules
from kernelbenchx.evaluate.paper_rules import PaperRules
from kernelbenchx.evaluator import add_paper_rules
from kernelbenchx.store.evaluation_lookup import newest
from ruled import by_kernelbenchx

RELU = witness_source("activation/relu")
PASSES = by_kernelbenchx(called=True, correct=True)
AGAIN = Rules(kernelbenchx=KernelBenchXRule(reason=Reason.EVALUATOR, detail="no room"))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Submissions that were judged by a rule; all pass, unless they are named otherwise."""
    found: list[str] = []

    def judge(_self: PaperRules, submission: Submission) -> Rules:
        found.append(submission.name)
        return AGAIN if submission.name == "again" else PASSES

    monkeypatch.setattr(PaperRules, "judge", judge)
    return found


def _evaluated(out: Path | None, *names: str, paper_rules: bool = True) -> list[Evaluation]:
    sources = [Submission(name=one, task="activation/relu", source=RELU) for one in names]
    settings = {"device": "interpreter", "stage": "call", "compile": False, "jobs": 1}
    with Evaluator(out=out, seed=7, paper_rules=paper_rules, **settings) as evaluator:  # type: ignore[arg-type]
        return list(evaluator.map(sources))


def _kept(out: Path) -> dict[str, Evaluation]:
    return {one.evaluation.submission: one.evaluation for one in newest(out)}


def test_a_finished_run_gets_rules_and_keeps_its_verdicts(tmp_path: Path, asked: list[str]) -> None:
    (plain,) = _evaluated(tmp_path, "one", paper_rules=False)
    assert plain.rules is None and not asked
    (ruled,) = _evaluated(tmp_path, "one")
    assert ruled.rules == PASSES and asked == ["one"]
    kept = _kept(tmp_path)["one"]
    assert (kept.rules, kept.seconds, kept.outcome) == (PASSES, plain.seconds, plain.outcome)
    assert _evaluated(tmp_path, "one")[0].rules == PASSES and asked == ["one"], "it is known"


def test_equal_sources_are_judged_by_the_rule_once(tmp_path: Path, asked: list[str]) -> None:
    first, second = _evaluated(tmp_path, "one", "two")
    assert first.rules == second.rules == PASSES and len(asked) == 1
    assert {name: one.rules for name, one in _kept(tmp_path).items()} == {
        "one": PASSES,
        "two": PASSES,
    }


def test_what_failed_on_our_side_is_tried_again(tmp_path: Path, asked: list[str]) -> None:
    assert _evaluated(tmp_path, "again")[0].rules == AGAIN
    assert _evaluated(tmp_path, "again")[0].rules == AGAIN
    assert asked == ["again", "again"]


def test_without_a_folder_they_come_with_the_evaluation(asked: list[str]) -> None:
    assert _evaluated(None, "one")[0].rules == PASSES


def test_a_run_alone_gets_rules_whatever_its_verdicts_were_made_with(
    tmp_path: Path, asked: list[str]
) -> None:
    before = _evaluated(tmp_path, "one", "two", paper_rules=False)
    settings = Settings(device="interpreter", time_limit_s=7.0, jobs=1)
    after = add_paper_rules(tmp_path, settings)
    assert len(asked) == 1, "they are equal"
    assert [replace(one, rules=None) for one in after] == before
    assert {one.rules for one in after} == {PASSES}
    add_paper_rules(tmp_path, settings)
    assert len(asked) == 1


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is not a run"):
        add_paper_rules(tmp_path / "none")
