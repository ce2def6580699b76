"""Names that the published call stage asks for, each with one that it refuses."""

import pytest

from kernelbenchx.catalog.call_stage import SEPARATOR, call_stage_problem


@pytest.mark.parametrize(
    "source",
    [
        "def relu(x): ...",
        "def kernel_function(x): ...",
        "import torch\nrelu = torch.relu",
        "relu: object = None",
        f"def relu(x): ...\n{SEPARATOR}\nthis is (no Python",
    ],
)
def test_a_top_level_function_or_assignment_takes_part(source: str) -> None:
    assert call_stage_problem(source, "activation/relu") is None


@pytest.mark.parametrize(
    "source",
    [
        "def ReLU(x): ...",
        "class relu: ...",
        "async def relu(x): ...",
        "from torch import relu",
        "if True:\n    def relu(x): ...",
        "relu, other = 1, 2",
        f"pass\n{SEPARATOR}\ndef relu(x): ...",
    ],
)
def test_any_other_binding_of_the_name_does_not(source: str) -> None:
    assert "relu or kernel_function" in (call_stage_problem(source, "activation/relu") or "")


def test_an_optimizer_needs_the_name_of_its_file_also() -> None:
    step = "def lion_step(param): ...\n"
    assert call_stage_problem(step, "optimizer/Lion")
    assert call_stage_problem(step + "Lion = lion_step", "optimizer/Lion") is None


def test_an_empty_or_broken_submission_fails() -> None:
    assert "empty" in (call_stage_problem(" \n", "activation/relu") or "")
    assert "syntax error" in (call_stage_problem("def relu(:", "activation/relu") or "")


def test_a_task_without_a_published_test_has_no_call_stage() -> None:
    assert call_stage_problem("def x(): ...", "level1/nothing")
