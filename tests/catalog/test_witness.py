from pathlib import Path

import pytest

from kernelbenchx.catalog.witness import cut_out
from kernelbenchx.core.errors import BrokenTask

TEXT = '''"""A task."""

import math

import torch
import triton

from kernelbenchx.spec import Task

BLOCK = 8
WIDE = 2 * BLOCK
UNUSED = 3


def reference(x):
    return math.sqrt(x)


@triton.jit
def _kernel(x):
    return x * WIDE


def witness(x):
    return _kernel(torch.empty_like(x))


TASK = Task(reference=reference)
'''


def test_only_what_the_witness_reaches_is_cut_out(tmp_path: Path) -> None:
    path = tmp_path / "task.py"
    path.write_text(TEXT)
    source = cut_out(path, "witness", "entry")
    for kept in ("BLOCK = 8", "WIDE = 2 * BLOCK", "@triton.jit\ndef _kernel", "import torch",
                 "import triton", "def entry(x):"):  # fmt: skip
        assert kept in source
    for left in ("UNUSED", "reference", "math", "kernelbenchx", "TASK", "def witness"):
        assert left not in source


def test_a_file_without_the_function_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "task.py"
    path.write_text("x = 1\n")
    with pytest.raises(BrokenTask, match="witness is not defined"):
        cut_out(path, "witness", "entry")
