"""A stranger's test of a stranger's kernel runs in the sandbox, within limits, as a hint."""

import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.trial import VOID, Trial
from kernelbenchx.evaluate.own_tests import MOST_OUTPUT, MOST_TEXT, OwnTest, try_out
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.levels import Level

PACKAGE = Path(catalog.__file__).parents[1]
RELU = witness_source("activation/relu")
TEST = """
import torch
from submission import relu

def test():
    x = torch.randn(300, device="cuda")
    y = relu(x)
    assert y.is_cuda
    torch.testing.assert_close(y, torch.relu(x))
    print("looked at", y.numel())
"""


def _tried(pipeline: Pipeline, test: str, source: str = RELU, wall_s: float = 120.0) -> Trial:
    return try_out(pipeline, OwnTest("activation/relu", source, test), wall_s)


def test_a_right_kernel_passes_and_what_it_prints_comes_back(pipeline: Pipeline) -> None:
    assert _tried(pipeline, TEST) == Trial(passed=True, output="looked at 300\n")


def test_a_wrong_kernel_fails_and_the_line_of_the_test_is_told(pipeline: Pipeline) -> None:
    wrong = RELU.replace("0.0", "0.5")
    assert wrong != RELU
    trial = _tried(pipeline, TEST, wrong)
    assert (trial.passed, trial.stage) == (False, "test")
    assert trial.detail.startswith("AssertionError")
    assert 'File "own_test.py", line 9, in test' in trial.output
    assert "/worker/" not in trial.output  # only the author's own lines


def test_a_kernel_that_cannot_be_loaded_says_its_line(pipeline: Pipeline) -> None:
    trial = _tried(pipeline, TEST, "import torch\n\n1 / 0\n")
    assert (trial.passed, trial.stage, trial.line) == (False, "load", 3)
    assert trial.detail == "ZeroDivisionError: division by zero"


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ("", "defines no function test()"),
        ("def test(): pass", "without a launch"),
        ("def test(kernel): pass", "defines no function test()"),
        ("def test(): return False", "test says itself that it failed"),
        ("import sys\ndef test(): sys.exit(1)", "test says itself that it failed"),
        ("import os\ndef test(): os._exit(0)", "ended before its test did"),
        ("def test(: pass", "SyntaxError"),
        ("\0", "null bytes"),
        ("\udcff", "SyntaxError"),
        ("import kernelbenchx", "No module named 'kernelbenchx'"),
        ("from submission import test_nothing", "ImportError"),
    ],
)
def test_what_tests_nothing_does_not_pass(pipeline: Pipeline, test: str, said: str) -> None:
    trial = _tried(pipeline, test)
    assert not trial.passed
    assert said in trial.detail


def test_a_test_may_leave_with_code_0_or_run_itself_too(pipeline: Pipeline) -> None:
    leaving = TEST + "    raise SystemExit(0)\n\nif __name__ == '__main__':\n    1 / 0\n"
    assert _tried(pipeline, leaving).passed


def test_a_launch_that_failed_counts_though_it_was_caught(pipeline: Pipeline) -> None:
    caught = """
import torch, triton, triton.language as tl
from submission import relu

@triton.jit
def far(x):
    tl.store(x + 10_000_000, 1.0)

def test():
    relu(torch.ones(8, device="cuda"))
    try:
        far[(1,)](torch.ones(8, device="cuda"))
    except Exception:
        pass
"""
    trial = _tried(pipeline, caught)
    assert not trial.passed
    assert "a launch of far failed" in trial.detail


@pytest.mark.parametrize(
    ("body", "said", "wall_s"),
    [
        ("import time; time.sleep(600)", "time limit", 1.0),
        ("while True: pass", "time", 1.0),
        # A busy machine may need more than a second to let them print so much.
        ("while True: print('x' * 100_000)", "printed more", 50.0),
        ("import os\n    while True: os.write(1, bytes(100_000))", "printed more", 50.0),
        ("import ctypes; ctypes.string_at(0)", "SIGSEGV", 50.0),
    ],
)
def test_what_goes_too_far_is_ended(
    pipeline: Pipeline, body: str, said: str, wall_s: float
) -> None:
    started = time.monotonic()
    trial = _tried(pipeline, f"def test():\n    {body}\n", wall_s=wall_s)
    assert (trial.passed, trial.stage) == (False, "end")
    assert said in trial.detail and " s)" not in trial.detail
    assert len(trial.output) <= MOST_OUTPUT
    assert time.monotonic() - started < 60
    assert _tried(pipeline, TEST).passed  # and the next one runs as if nothing had happened


@pytest.mark.parametrize(
    "body",
    [
        "import socket; socket.create_connection(('127.0.0.1', 9), 1)",
        "import subprocess; subprocess.run(['true'], check=True)",
        "open('/etc/passwd', 'a').close()",
        "import os; assert not os.environ.get('OPENAI_API_KEY'); raise OSError('as it should')",
        "open('/proc/1/environ').read()",
        f"open({catalog.__file__!r}).read()",
        f"open({str(PACKAGE / 'tasks/activation/relu.py')!r}).read()",
        f"import os; os.listdir({str(PACKAGE / 'tasks')!r})",
    ],
)
def test_it_has_the_rights_of_a_submission_and_no_more(
    pipeline: Pipeline, body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-you")
    trial = _tried(pipeline, f"def test():\n    {body}\n")
    assert not trial.passed
    assert "Error" in trial.detail and "AssertionError" not in trial.detail


def test_the_order_holds_no_input_and_no_seed_of_the_run(pipeline: Pipeline) -> None:
    looking = """
import gc

def test():
    found = [one for one in gc.get_objects() if isinstance(one, dict) and "calls" in one]
    for order in [one for one in found if one.get("mode") == "own_test"]:
        print("calls", order["calls"], "storages", order["storages"], "seed", order["seed"])
"""
    trial = _tried(pipeline, looking)
    assert "calls [] storages [] seed" in trial.output
    _, _, rest = trial.output.partition("seed ")
    assert int(rest.split()[0]) != pipeline.seed


def test_control_characters_are_told_and_not_sent(pipeline: Pipeline) -> None:
    trial = _tried(
        pipeline, "def test():\n    print(chr(27) + '[2J')\n    raise ValueError('\\x1b]0;x')\n"
    )
    assert "\x1b" not in trial.output + trial.detail
    assert "\\x1b[2J" in trial.output


def test_what_is_said_is_the_same_every_time(pipeline: Pipeline) -> None:
    test = "def test():\n    print(object())\n    raise ValueError(object())\n"
    trial = _tried(pipeline, test)
    assert trial == _tried(pipeline, test)
    assert "<object object at 0x...>" in trial.output and "0x...>" in trial.detail


def test_texts_without_an_end_are_not_tried(pipeline: Pipeline) -> None:
    trial = _tried(pipeline, "#" * (MOST_TEXT + 1))
    assert not trial.passed and "longer than" in trial.detail


def test_a_fault_of_ours_is_tried_again_and_then_said(pipeline: Pipeline) -> None:
    endings = [Ending(lost=True, fault="gone")] * 5

    def run(*_: Any) -> Ending:
        return endings.pop()

    zygotes: Any = {"interpret": SimpleNamespace(run=run)}
    lost = replace(pipeline, workers=replace(pipeline.workers, zygotes=zygotes))
    assert _tried(lost, TEST) == Trial(passed=False, stage=VOID, detail="gone")
    assert len(endings) == 2


def test_where_files_could_be_read_no_test_is_run(pipeline: Pipeline) -> None:
    open_house = replace(pipeline.workers.isolation, level=Level.L1)
    bare = replace(pipeline, workers=replace(pipeline.workers, isolation=open_house))
    with pytest.raises(BadInput, match="L2 or L3, not L1"):
        _tried(bare, TEST)
