"""What scripts/soundness_table.py prints of a run, published labels and the published harness."""

import json
from pathlib import Path

import msgspec
import pytest

from kernelbenchx import Evaluator, Submission
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import (
    Broken,
    CaseResult,
    CaseState,
    Finding,
    Outcome,
    Reason,
    Rejected,
    Stage,
)
from kernelbenchx.core.rules import KernelBenchXRule, Rules
from kernelbenchx.core.scopes import Scope
from ruled import by_kernelbenchx
from samples import evaluation
from script_files import script

TABLE = script("soundness_table")
BROKEN = Broken(stage=Stage.CALL, reason=Reason.RUNTIME_ERROR, detail="ValueError: no")
RIGHT = by_kernelbenchx(called=True, correct=True)
NOT_CALLED = Rules(
    kernelbenchx=KernelBenchXRule(
        called=False, correct=False, key="test_case_3", detail="KeyError: 'complex64'"
    )
)
BASIC = ("passed", "failed", "passed")
CORE = ("passed", "passed", "failed")
NONE = ("failed", "failed", "failed")


def _kernel(
    name: str, passed: tuple[str, str, str], rules: Rules, outcome: Outcome = BROKEN
) -> Evaluation:
    """Core in float32, core in bfloat16, layout in float32."""
    states = [CaseState.PASSED if one == "passed" else CaseState.WRONG for one in passed]
    cases = (
        CaseResult("a", states[0], 62.9, "bad_values: 26 of 4558 elements", dtype="float32"),
        CaseResult("b", states[1], None, "compile_error: no bf16", dtype="bfloat16"),
        CaseResult("c", states[2], None, "bad_values", (Scope.LAYOUT,), dtype="float32"),
    )
    made = evaluation(name, outcome, cases=() if isinstance(outcome, Rejected) else cases)
    return msgspec.structs.replace(made, rules=rules, first_dtype="float32")


def _text(part: str, *kernels: Evaluation) -> str:
    rows = {one.submission: {"model": "a-model"} for one in kernels}
    return "\n".join(getattr(TABLE, part)(list(TABLE.join(kernels, rows, None))))


def test_rates_count_each_standard_and_who_differs() -> None:
    found = _text(
        "rates",
        _kernel("basic", BASIC, RIGHT),
        _kernel("core", CORE, NOT_CALLED),
        _kernel("lucky", NONE, RIGHT),
    )
    assert "| all | 3 | 2 | 2 | 2 | 1 | 0 | 1 | 1 |" in found
    assert "| a-model | 3 |" in found


def test_a_kernel_without_a_published_verdict_is_left_out() -> None:
    known, unknown = _kernel("a", BASIC, RIGHT), _kernel("b", BASIC, Rules())
    assert "| all | 1 | 1 | 1 | 1 | 0 |" in _text("rates", known, unknown)


def test_basic_kernels_are_counted_by_the_dtypes_they_fail_and_core_ones_by_scope() -> None:
    kernels = _kernel("a", BASIC, RIGHT), _kernel("b", CORE, RIGHT)
    dtypes, scopes = _text("failed_dtypes", *kernels), _text("failed_scopes", *kernels)
    assert "| bfloat16 | 1 |" in dtypes and "1 of them do not compile" in dtypes
    assert "| layout | 1 |" in scopes and "| core |" not in scopes


def test_a_lucky_kernel_has_our_reason_and_a_basic_one_is_not_listed() -> None:
    found = _text("lucky", _kernel("a", NONE, RIGHT), _kernel("b", BASIC, RIGHT))
    assert (
        "| a | relu | a-model | 1 of 1 core calls in float32 fail: "
        "bad_values: 26 of 4558 elements, 62.9 times the budget (`a`) |"
    ) in found
    assert "| b |" not in found


def test_of_a_refused_kernel_the_missing_launch_is_named_first() -> None:
    findings = (
        Finding(rule="imports", line=1, why="imports os"),
        Finding(rule="kernels", line=9, why="relu never launches a kernel"),
    )
    both = _kernel("a", NONE, RIGHT, Rejected(findings=findings))
    one = _kernel("b", NONE, RIGHT, Rejected(findings=findings[:1]))
    found = _text("lucky", both, one)
    assert "refused: relu never launches a kernel |" in found
    assert "refused: imports os |" in found


def test_the_reverse_has_their_reason_and_no_kernel_that_fails_by_both() -> None:
    found = _text("reverse", _kernel("a", CORE, NOT_CALLED), _kernel("b", NONE, NOT_CALLED))
    assert "| a | relu | a-model | core | not called: test_case_3: KeyError: 'complex64' |" in found
    assert "| b |" not in found


def test_labels_of_another_gpu_are_compared_with_the_rule_here() -> None:
    kernels = [_kernel("a", BASIC, RIGHT), _kernel("b", NONE, NOT_CALLED)]
    rows = {name: {"published": {"exe_ok": True}} for name in ("a", "b")}
    judged = list(TABLE.join(kernels, rows, None))
    found = "\n".join(TABLE.labels(judged, rows))
    assert "2 kernels have a published label, 2 of them as correct." in found
    assert "here basic: 1 (a)" in found and "here not basic: 1 (b)" in found
    assert "- b: published as correct, by the rule here not called" in found
    assert "- a:" not in found
    assert not list(TABLE.labels(judged, {"a": {}, "b": {"published": {"exe_ok": None}}}))


def test_the_harness_stands_where_it_is_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = "import os\n\ndef relu(input, inplace=False):\n    return os.sep\n"
    with Evaluator(out=tmp_path / "run", device="interpreter", stage="check") as evaluator:
        list(evaluator.map([Submission(name="a", task="relu", source=source)]))
    kernels, harness = tmp_path / "kernels.jsonl", tmp_path / "harness.jsonl"
    kernels.write_text(json.dumps({"id": "a", "model": "a-model"}) + "\n")
    harness.write_text(json.dumps({"id": "a", "call": True, "exe": True}) + "\n")
    words = [str(tmp_path / "run"), str(kernels), "--harness", str(harness)]
    TABLE.main(words)
    assert "| all | 1 | 1 | 1 | 0 | 0 | 0 | 1 | 0 |" in capsys.readouterr().out
    TABLE.main(words[:2])
    assert "| all | 0 |" in capsys.readouterr().out


def test_the_comparison_has_a_row_for_each_task_and_names_what_differs() -> None:
    kernels = [
        _kernel("a", BASIC, RIGHT),
        _kernel("b", BASIC, by_kernelbenchx(called=True, correct=False)),
    ]
    rows: dict[str, dict[str, str]] = {"a": {}, "b": {}}
    judged = list(TABLE.join(kernels, rows, {"a": (True, True), "b": (True, True)}))
    by_task, total = "\n".join(TABLE.agreement_by_task(judged)), "\n".join(TABLE.agreement(judged))
    assert "| activation/relu | 2 | 2 | 0 | 0 | 1 |" in by_task
    assert "- b: correct by the harness alone" in total
    assert "- a:" not in total
