"""scripts/compare_devices.py: what agrees, what differs, what is void."""

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from script_files import script as load

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "compare_devices.py"
CORRECT = {"kind": "correct", "cases": 7}
WRONG = {"kind": "wrong", "reason": "bad_values", "detail": "3 of 9 elements", "pattern": ""}
BROKEN = {"kind": "broken", "reason": "runtime_error", "detail": "NameError: a | b"}
REJECTED = {"kind": "rejected", "findings": [{"rule": "imports", "line": 1, "why": "numpy"}]}
VOID = {"kind": "void", "reason": "not_interpretable", "detail": "inline assembly"}


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return load("compare_devices")


def _pairs(script: ModuleType, *outcomes: tuple[dict[str, Any], dict[str, Any]]) -> Any:
    runs: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for number, pair in enumerate(outcomes):
        for run, outcome in zip(runs, pair, strict=True):
            run[f"relu__{number}"] = {"task": "activation/relu", "outcome": outcome}
    return script.pair_up(*runs)


@pytest.mark.parametrize(
    ("one", "other", "differs"),
    [
        (CORRECT, CORRECT, False),
        (WRONG, BROKEN, False),
        (REJECTED, WRONG, False),
        (CORRECT, WRONG, True),
        (BROKEN, CORRECT, True),
        (REJECTED, CORRECT, True),
        (VOID, CORRECT, False),
    ],
)
def test_only_correct_against_not_correct_differs(
    script: ModuleType, one: dict[str, Any], other: dict[str, Any], differs: bool
) -> None:
    [pair] = _pairs(script, (one, other))
    assert script.disagree(pair) is differs
    assert script.disagree((pair[0], pair[2], pair[1])) is differs


def test_agreement_has_no_fault(script: ModuleType) -> None:
    pairs = _pairs(script, (CORRECT, CORRECT), (WRONG, BROKEN))
    assert script.find_faults(pairs, [], {}) == []


def test_a_disagreement_needs_its_reason(script: ModuleType) -> None:
    pairs = _pairs(script, (CORRECT, WRONG), (CORRECT, CORRECT))
    [fault] = script.find_faults(pairs, [], {})
    assert fault == "unexplained disagreements: relu__0"
    assert script.find_faults(pairs, [], {"relu__0": "rounding of the GPU's exp"}) == []


def test_two_reasons_are_one_too_many(script: ModuleType) -> None:
    pairs = _pairs(script, (CORRECT, WRONG), (BROKEN, CORRECT))
    reasons = {"relu__0": "known", "relu__1": "known"}
    assert script.find_faults(pairs, [], reasons) == ["more than 1 explained disagreement"]


def test_a_reason_without_disagreement_is_stale(script: ModuleType) -> None:
    pairs = _pairs(script, (CORRECT, CORRECT))
    faults = script.find_faults(pairs, [], {"relu__0": "once"})
    assert faults == ["explained, but no disagreement: relu__0"]


def test_voids_stay_under_five_percent(script: ModuleType) -> None:
    agreeing = [(CORRECT, CORRECT)] * 20
    assert script.find_faults(_pairs(script, (VOID, WRONG), *agreeing), [], {}) == []
    faults = script.find_faults(_pairs(script, (VOID, WRONG), *agreeing[1:]), [], {})
    assert faults == ["1 of 20 are void"]


def test_what_one_device_judged_alone_is_named(script: ModuleType) -> None:
    faults = script.find_faults(_pairs(script, (CORRECT, CORRECT)), ["add__b", "add__a"], {})
    assert faults == ["judged on one device only: add__a, add__b"]


def test_the_command_prints_facts_and_no_code(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("interpreter.json", "gpu.json", "facts.jsonl")]
    for path, outcomes in zip(paths, ([CORRECT, BROKEN], [CORRECT, WRONG]), strict=False):
        results = [
            {"submission": f"relu__{number}", "task": "activation/relu", "outcome": outcome}
            for number, outcome in enumerate(outcomes)
        ]
        path.write_text(json.dumps({"results": results}), encoding="utf-8")
    fact = {"repo": "o/r", "path": "k.py", "commit": "0123456789abcdef", "adapted": "thin entry"}
    rows = [json.dumps({"file": f"relu__{number}.py", **fact}) for number in range(2)]
    paths[2].write_text("\n".join(rows) + "\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *map(str, paths)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "2 kernels of 1 sources over 1 tasks; 1 are wrong or broken on the GPU."
    assert lines[1] == "Disagreements on correct or not: 0. Voids: 0."
    assert "| broken | wrong | 1 |" in lines
    assert lines[-2] == "| relu__0 | o/r, k.py | 0123456789 | correct | correct | 7 cases |"
    assert lines[-1] == (
        "| relu__1 | o/r, k.py | 0123456789 | broken | wrong | bad_values: 3 of 9 elements |"
    )


def test_the_command_fails_on_a_disagreement(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("interpreter.json", "gpu.json", "facts.jsonl")]
    for path, outcome in zip(paths, (CORRECT, BROKEN), strict=False):
        result = {"submission": "relu__0", "task": "activation/relu", "outcome": outcome}
        path.write_text(json.dumps({"results": [result]}), encoding="utf-8")
    fact = {"file": "relu__0.py", "repo": "o/r", "path": "k.py", "commit": "", "adapted": ""}
    paths[2].write_text(json.dumps(fact), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *map(str, paths)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "error: unexplained disagreements: relu__0" in done.stderr
    assert "NameError: a \\| b" in done.stdout


def test_a_kernel_without_facts_is_named(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("interpreter.json", "gpu.json", "facts.jsonl")]
    result = {"submission": "relu__0", "task": "activation/relu", "outcome": CORRECT}
    for path in paths[:2]:
        path.write_text(json.dumps({"results": [result]}), encoding="utf-8")
    paths[2].write_text("", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *map(str, paths)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == f"error: {paths[2]} says nothing of relu__0\n"


def test_a_reason_names_no_path_of_the_machine(script: ModuleType) -> None:
    detail = "ImportError: cannot import name 'pow' from 'triton' (/home/me/venv/triton/math.py)"
    result = {"outcome": {**BROKEN, "detail": detail}}
    assert (
        script.why(result) == "runtime_error: ImportError: cannot import name 'pow' from 'triton'"
    )
    kept = {"outcome": {**BROKEN, "detail": "ValueError: 3 / 4 is no block, a/b neither"}}
    assert script.why(kept) == "runtime_error: ValueError: 3 / 4 is no block, a/b neither"
