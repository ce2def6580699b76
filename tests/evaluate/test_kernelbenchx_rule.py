"""KernelBench-X's own rule through real processes: the published test in the sandbox, compared."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.rules import KernelBenchXRule
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate import kernelbenchx_rule
from kernelbenchx.evaluate.kernelbenchx_rule import (
    NO_TEST,
    NOT_PYTHON,
    KernelBenchXStage,
    PublishedReferences,
)
from kernelbenchx.evaluate.pipeline import Pipeline

TASK = "activation/relu"
RELU = witness_source(TASK)
EXAMPLES = Path(__file__).parents[2] / "examples" / "submissions"
UNCOMPILED = (EXAMPLES / "relu__does_not_compile.py").read_text()
TORCH = "import torch\n\ndef relu(input, inplace=False):\n    return torch.relu(input)\n"


@pytest.fixture(scope="module")
def stage(pipeline: Pipeline) -> Iterator[KernelBenchXStage]:
    with closing(PublishedReferences()) as references:
        yield KernelBenchXStage(pipeline.workers, references, pipeline.seed)


def _judge(
    stage: KernelBenchXStage, source: str, task: str = TASK, language: str = "triton"
) -> KernelBenchXRule:
    submission = Submission(name="mine", task=task, source=source, language=language)
    return stage.run(submission, None, lambda _stage: None)


@pytest.mark.parametrize("source", [RELU, TORCH])
def test_a_kernel_and_torch_alone_pass(stage: KernelBenchXStage, source: str) -> None:
    assert _judge(stage, source) == KernelBenchXRule(called=True, correct=True, provisional=True)


def test_another_value_fails_at_the_first_result_that_differs(stage: KernelBenchXStage) -> None:
    found = _judge(stage, TORCH.replace("torch.relu(input)", "torch.relu(input) + 1e-3"))
    assert (found.called, found.correct, found.reason) == (True, False, Reason.BAD_VALUES)
    assert found.key.startswith("test_case_1") and found.tolerance == "atol = rtol = 1e-05"
    assert "values differ" in found.detail


@pytest.mark.parametrize(
    ("source", "reason", "said"),
    [
        ("", Reason.LOAD_ERROR, "empty"),
        ("def other(x):\n    return x\n", Reason.LOAD_ERROR, "relu"),
        (f"{TORCH}\nif __name__ == '__main__':\n    1 / 0\n", Reason.LOAD_ERROR, "division"),
        (TORCH.replace("torch.relu", "torch.missing"), Reason.RUNTIME_ERROR, "missing"),
        (f"import os\n{TORCH}\nos._exit(3)\n", Reason.EXIT, "code 3"),
        (UNCOMPILED, Reason.COMPILE_ERROR, "sum is not defined"),
    ],
)
def test_what_gives_no_results_fails_the_call_stage(
    stage: KernelBenchXStage, source: str, reason: Reason, said: str
) -> None:
    found = _judge(stage, source)
    assert (found.called, found.correct, found.reason) == (False, False, reason), found
    assert said in found.detail


@pytest.mark.parametrize(
    "result",
    ["torch.relu(input).to_sparse()", "object()", "[torch.relu(input)]", "None", "torch.float32"],
)
def test_odd_results_are_not_correct(stage: KernelBenchXStage, result: str) -> None:
    found = _judge(stage, TORCH.replace("torch.relu(input)", result))
    assert (found.called, found.correct) == (True, False) and found.detail, found


def test_a_program_that_ends_well_before_its_test_is_called(stage: KernelBenchXStage) -> None:
    found = _judge(stage, f"import os\n{TORCH}\nos._exit(0)\n")
    assert (found.called, found.correct, found.reason) == (True, False, Reason.MALFORMED)


def test_results_that_cannot_be_compared_are_the_submissions_fault(
    stage: KernelBenchXStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_given: object, **_named: object) -> None:
        raise ValueError("zip() argument 2 is shorter")

    monkeypatch.setattr(kernelbenchx_rule, "compare_results", fail)
    found = _judge(stage, TORCH)
    assert (found.correct, found.reason) == (False, Reason.MALFORMED)


def test_a_call_that_raises_names_its_result(stage: KernelBenchXStage) -> None:
    found = _judge(stage, TORCH.replace("torch.relu", "torch.missing"))
    assert found.key == "test_case_1"


def test_what_no_test_is_published_for_is_not_known(stage: KernelBenchXStage) -> None:
    module = _judge(stage, RELU, task="level1/relu")
    assert (module.called, module.reason, module.detail) == (None, Reason.UNSUPPORTED, NO_TEST)
    assert _judge(stage, RELU, language="cuda").detail == NOT_PYTHON


def test_a_test_that_no_honest_kernel_passes_says_so(stage: KernelBenchXStage) -> None:
    found = _judge(stage, witness_source("optimizer/Adam"), task="optimizer/Adam")
    assert found.correct is not True and found.infeasible
    assert not _judge(stage, TORCH).infeasible


def test_random_numbers_that_it_draws_shift_the_inputs(stage: KernelBenchXStage) -> None:
    """As published: both sides draw inputs from one seed, between their calls."""
    drawing = TORCH.replace("    return", "    torch.randn(1, device='cuda')\n    return")
    assert _judge(stage, drawing).correct is False


def test_a_test_that_does_not_import_torch_finds_it_in_the_submission(
    stage: KernelBenchXStage,
) -> None:
    pooling = (
        "from torch.nn import functional\nadaptive_avg_pool2d = functional.adaptive_avg_pool2d"
    )
    found = _judge(stage, pooling, "pooling/adaptive_avg_pool2d")
    assert (found.called, found.reason) == (False, Reason.LOAD_ERROR)
    assert "torch" in found.detail
    assert _judge(stage, f"import torch\n{pooling}", "pooling/adaptive_avg_pool2d").correct
