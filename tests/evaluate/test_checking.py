"""The stage that looks at sources alone."""

import subprocess
import sys

import pytest

from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.outcome import Composition, Outcome, Reached, Reason, Rejected, Stage, Void
from kernelbenchx.core.settings import ResolvedSettings, Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate import checking
from kernelbenchx.evaluate.checking import EvaluationProvenance, SourceChecks, check_source
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.runner.levels import Level, WorkerIsolation
from samples import evaluation

TASK = "activation/relu"
RIGHT = witness_source(TASK)
TORCH = "import torch\n\n\ndef relu(input, inplace=False):\n    return torch.relu(input)\n"


def _submission(source: str, language: str = "triton") -> Submission:
    return Submission(name="s", task=TASK, source=source, language=language)


def _outcome(source: str, language: str = "triton") -> Outcome:
    settings = ResolvedSettings(device="interpreter", stage=Stage.CHECK)
    ground = EvaluationProvenance(
        settings, 3, evaluation().environment, WorkerIsolation(Level.L1, ("a wall",))
    )
    found = SourceChecks(ground, lambda _name, _stage: None).evaluate(_submission(source, language))
    assert (found.stage, found.seed, found.isolation.missing) == (Stage.CHECK, 3, ("a wall",))
    assert found.kernels == () and found.cases == ()
    return found.outcome


def test_a_source_breaks_a_rule_or_none() -> None:
    assert _outcome(RIGHT) == Reached(stage=Stage.CHECK)
    assert isinstance(_outcome(TORCH), Rejected)


def test_another_language_than_the_tasks_is_void() -> None:
    outcome = _outcome("__global__ void f() {}", "cuda")
    assert isinstance(outcome, Void) and outcome.reason is Reason.UNSUPPORTED


def test_a_fault_of_ours_is_void(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> None:
        raise OSError("gone")

    monkeypatch.setattr(checking, "check_bounded", failing)
    assert _outcome(RIGHT) == Void(reason=Reason.EVALUATOR, detail="OSError: gone")


def test_without_checks_only_what_ran_counts() -> None:
    for checks in (True, False):
        attempt = EvaluationState(_submission(TORCH), facts(TASK), ("relu",))
        outcome = check_source(attempt, Settings(device="interpreter", checks=checks))
        assert isinstance(outcome, Rejected) is checks
        assert (attempt.composition is Composition.PURE) is not checks


def test_an_idle_import_is_left_out_of_what_runs_unless_the_checks_are_off() -> None:
    source = "import os\n" + RIGHT
    for checks, runs in ((True, "(       )\n" + RIGHT), (False, source)):
        known = facts(TASK)
        attempt = EvaluationState(_submission(source), known, (known.entry,))
        assert check_source(attempt, Settings(device="interpreter", checks=checks)) is None
        assert attempt.source == runs
        assert attempt.submission.source == source


def test_it_loads_no_torch() -> None:
    code = "import sys, kernelbenchx.evaluate.checking as _; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
