import json
from pathlib import Path

import pytest

from cli_types import Kbx
from kernelbenchx.catalog.witness import witness_source

BROKEN = """
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(y + at, tl.no_such_function(tl.load(x + at, mask=at < n, other=0.0)), mask=at < n)


def relu(input, inplace=False):
    y = torch.empty_like(input)
    kernel[(1,)](input, y, input.numel(), BLOCK=1024)
    return y
"""


@pytest.mark.usefixtures("warm_workers")
@pytest.mark.parametrize("target", ["sm_90", "gfx942"])
def test_kernels_are_compiled_for_a_card_that_is_not_here(
    kbx_here: Kbx, tmp_path: Path, target: str
) -> None:
    (tmp_path / "masked_select.py").write_text(witness_source("index/masked_select"))
    said = kbx_here("compile", tmp_path / "masked_select.py", "--target", target, "--json")
    document = json.loads(said.stdout)
    assert document["target"] == target
    assert document["kernels"] and all(kernel["ok"] for kernel in document["kernels"])
    assert all(kernel["registers"] > 0 for kernel in document["kernels"])


@pytest.mark.usefixtures("warm_workers")
def test_an_error_has_its_line(kbx_here: Kbx, tmp_path: Path) -> None:
    (tmp_path / "relu.py").write_text(BROKEN)
    said = kbx_here("compile", tmp_path / "relu.py", "--json")
    (kernel, *_) = json.loads(said.stdout)["kernels"]
    assert not kernel["ok"]
    assert kernel["error"]["line"] == 10
    assert "no_such_function" in kernel["error"]["message"]


def test_an_unknown_card_is_refused(kbx: Kbx, tmp_path: Path) -> None:
    (tmp_path / "relu.py").write_text(BROKEN)
    said = kbx("compile", tmp_path / "relu.py", "--target", "sm_1")
    assert said.returncode == 2
    assert "sm_90" in said.stderr
