"""scripts/modules_table.py: what was judged, what is adjudicated, what is missing."""

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Outcome, Reason, Void, Wrong
from ruled import by_kernelbench
from samples import evaluation
from script_files import script as load

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "modules_table.py"
NAME = "level_1_problem_98_sample_2_kernel"
WRONG = Wrong(case="a", reason=Reason.BAD_VALUES, detail="every element is wrong")
VOID = Void(reason=Reason.WEIGHTS, detail="no `linear.bias`")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return load("modules_table")


def _row(claim: str | None) -> dict[str, Any]:
    where = {"repository": "a/b", "commit": "c" * 40, "path": "x/y.py", "author": "agent"}
    return {**where, "level": 1, "claim": claim, "sha256": "d" * 64}


def _judged(outcome: Outcome | None = None, **changed: str) -> dict[str, Evaluation]:
    return {NAME: replace(evaluation(NAME, outcome), **changed)}


@pytest.mark.parametrize(
    ("claim", "outcome", "fault"),
    [
        ("correct", None, None),
        (None, None, None),
        ("correct", WRONG, "1/98 s2 is wrong and not adjudicated"),
        ("wrong", WRONG, "1/98 s2 is wrong and not adjudicated"),
        ("wrong", None, "1/98 s2 is correct and not adjudicated"),
    ],
)
def test_what_fails_or_differs_needs_a_line(
    script: ModuleType, claim: str | None, outcome: Outcome | None, fault: str | None
) -> None:
    rows, run = {NAME: _row(claim)}, _judged(outcome)
    assert script.find_faults(rows, {}, run) == ([fault] if fault else [])
    assert script.find_faults(rows, {"1/98 s2": "the last rows are left out"}, run) == []


def test_missing_and_other_code_and_many_voids_are_faults(script: ModuleType) -> None:
    rows = {NAME: _row(None)}
    assert script.find_faults(rows, {}, {}) == ["1/98 s2 was not judged"]
    other = script.find_faults(rows, {}, _judged(digest="e" * 64))
    assert other == ["1/98 s2 is other code than the index says"]
    assert script.find_faults(rows, {"1/98 s2": "no bias"}, _judged(VOID)) == ["1 of 1 are void"]


def test_both_devices_and_the_line_are_printed(script: ModuleType) -> None:
    said = {"1/98 s2": "only 1,024 rows are summed"}
    text = "\n".join(script.report({NAME: _row("wrong")}, said, [_judged(), _judged(WRONG)]))
    assert "| a/b | cccccccccc | agent | 1 | 0 | 1 | 0 |" in text
    assert "| 1 | 1 | 1 | 0 | 0 | 0 | 0 | 1 | 0 |" in text
    assert "| wrong | H200 | modules |" not in text
    assert "Disagreements with the author, interpreter: 1\n" in text
    assert "| wrong | only 1,024 rows are summed | 1 | 1/98 s2 correct |" in text
    assert "Disagreements with the author, H200: 0\n" in text
    row = "| wrong | correct | wrong | bad_values: every element is wrong | only 1,024 rows are"
    assert row in text
    assert "| wrong | correct | pure |" in "\n".join(
        script.report({NAME: _row("wrong")}, said, [_judged()])
    )


@pytest.mark.parametrize(("passes", "lucky"), [(True, 1), (False, 0)])
def test_lucky_ones_pass_kernelbenchs_rule_and_are_not_correct(
    script: ModuleType, passes: bool, lucky: int
) -> None:
    rules = by_kernelbench((passes, False))
    run = {NAME: replace(evaluation(NAME, WRONG), rules=rules)}
    said = {"1/98 s2": "only 1,024 rows are summed"}
    text = "\n".join(script.report({NAME: _row("correct")}, said, [run]))
    assert f"| all | 1 | {lucky} | 0 | 0 | {lucky} |" in text
    assert ("| 1/98 s2 | no | wrong | only 1,024 rows are summed |" in text) is passes


def test_without_their_rule_there_is_no_table_of_it(script: ModuleType) -> None:
    text = "\n".join(script.report({NAME: _row("correct")}, {}, [_judged()]))
    assert "rule applied" not in text
