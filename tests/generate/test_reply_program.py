"""Programs out of replies."""

import pytest

from generate.recorded_failures import recorded
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.statement import statement
from kernelbenchx.checks.check_source import check
from kernelbenchx.evaluate.expectation import expectation_of
from kernelbenchx.generate.reply_program import program, without_thoughts

RELU = statement("activation/relu")
KERNEL = recorded("correct").source
TEST = "import torch\n\nx = torch.randn(7)\n" + "assert relu(x).min() >= 0\n" * 99
FINAL = "```python\nx = 1\n```"
MODULE = """\
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(y_ptr + at, tl.where(x < 0, 0.0, x), mask=at < n)


class ModelNew(torch.nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, input, inplace=False):
        x = input.contiguous()
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return input.copy_(y) if inplace else y
"""


@pytest.mark.parametrize(
    "reply",
    [
        FINAL,
        f"<think>\n```python\n{'y = 2' * 50}\n```\n</think>\n{FINAL}",
        f"<thinking>long ```python\n{'y = 2' * 50}\n```</thinking>{FINAL}",
        f"Wait: ```python\n{'y = 2' * 50}\n```\n</think>\n{FINAL}",
    ],
)
def test_code_in_thoughts_is_not_the_program(reply: str) -> None:
    assert program(reply, RELU) == "x = 1\n"


@pytest.mark.parametrize(
    "reply",
    [
        f"```python\n{KERNEL}```",
        f"So:\n```python\n{KERNEL}```\n".replace("\n", "\r\n"),
        f"So:\n```python\n{KERNEL}",
        f"```python\n{KERNEL}```\nTest:\n```python\n{TEST}```",
        f"````python\n{KERNEL}````",
    ],
)
def test_the_task_decides_which_block_is_the_program(reply: str) -> None:
    assert program(reply, RELU) == KERNEL
    assert program(reply.replace("relu", "gelu"), RELU) != KERNEL


def test_a_module_is_an_answer_beside_a_test_of_it() -> None:
    said = f"```python\n{MODULE}```\nTest:\n```python\n{TEST}```"
    assert program(said, RELU).startswith(MODULE.rstrip())
    assert program(said.replace("ModelNew", "Fast"), RELU) == TEST


def test_a_reply_that_is_all_thought_is_still_a_reply() -> None:
    cut = "<think>I begin with a mask"
    assert without_thoughts(cut) == cut
    assert program(cut, RELU).strip() == cut


@pytest.mark.parametrize("reply", ["", "\n", "```", "```python\n", "<think>", "</think>" * 9])
def test_nothing_a_model_says_breaks_the_reading(reply: str) -> None:
    assert isinstance(program(reply, RELU), str)


def test_a_module_becomes_callable_as_the_task() -> None:
    source = program(f"```python\n{MODULE}```", RELU)
    assert source.startswith(MODULE.rstrip())
    report = check(source, expectation_of(facts("activation/relu"), "triton"))
    assert report.fatal == ()
    assert report.entry == "kernel_function"


@pytest.mark.parametrize(
    "added",
    [
        "\n\ndef relu(x):\n    return ModelNew()(x)\n",
        "\n\nrelu = ModelNew()\n",
        "\n\ndef kernel_function(x):\n    return ModelNew()(x)\n",
    ],
)
def test_a_program_that_has_its_function_is_left_alone(added: str) -> None:
    assert program(MODULE + added, RELU) == MODULE + added


def test_what_only_speaks_of_a_module_is_left_alone() -> None:
    for source in ("# ModelNew\n", "class ModelNew(:\n", "ModelNew = 3 +\n"):
        assert program(source, RELU) == source


def test_a_module_too_long_to_be_judged_is_not_read() -> None:
    long = MODULE + "x = 1\n" * 20_000
    assert program(f"```python\n{long}```", RELU) == long
    assert program(f"```python\n{MODULE}```", RELU) != MODULE
