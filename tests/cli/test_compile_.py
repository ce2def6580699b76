import json
import time
from pathlib import Path

import pytest

from cli_types import Kbx
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.cli.compile_ import told_apart

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


@pytest.mark.slow
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


HONEST = BROKEN.replace("tl.no_such_function(", "tl.abs(")
PICKY = HONEST.replace(
    "    y = torch",
    "    if input.dtype == torch.float16:\n        raise ValueError('no')\n    y = torch",
)


@pytest.mark.usefixtures("warm_workers")
def test_an_error_has_its_line_and_no_registers(kbx_here: Kbx, tmp_path: Path) -> None:
    (tmp_path / "relu.py").write_text(BROKEN)
    said = kbx_here("compile", tmp_path / "relu.py", "--json")
    document = json.loads(said.stdout)
    kernels = document["kernels"]
    assert not any(kernel["ok"] for kernel in kernels)
    assert kernels[0]["error"]["line"] == 10
    assert "no_such_function" in kernels[0]["error"]["message"]
    assert document["problems"] == []
    assert [kernel["arguments"]["x"] for kernel in kernels] == ["*fp32:16", "*fp16:16", "*bf16:16"]
    _, titles, _, row, *_ = kbx_here("compile", tmp_path / "relu.py").stdout.splitlines()
    # How `n` divides depends on the size that the seed drew, and so does the width of the cell.
    assert row.startswith("kernel  ") and "x=*fp32:16, y=*fp32:16" in row
    assert row[titles.index("registers") : titles.index("result")].strip() == ""
    assert row[titles.index("result") :].startswith("line 10: ")


@pytest.mark.usefixtures("warm_workers")
def test_a_call_that_raises_is_named_below_the_table(kbx_here: Kbx, tmp_path: Path) -> None:
    (tmp_path / "relu.py").write_text(PICKY)
    said = kbx_here("compile", tmp_path / "relu.py")
    assert said.returncode == 0 and "2 kernels for sm_90" in said.stdout
    assert "kernels may be missing: line 15: ValueError: no [" in said.stdout
    assert "dtype=float16" in said.stdout
    (tmp_path / "relu.py").write_text(HONEST)
    said = kbx_here("compile", tmp_path / "relu.py")
    assert "3 kernels" in said.stdout and "missing" not in said.stdout


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import torch\n\ndef relu(input:\n    pass\n", ", line 3: not Python"),
        ("import torch\n", " defines none of: relu, kernel_function"),
    ],
)
def test_what_cannot_be_loaded_is_one_line_without_torch(
    kbx_here: Kbx, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, words: str
) -> None:
    (tmp_path / "relu.py").write_text(source)
    monkeypatch.setattr("kernelbenchx.evaluator.Evaluator", None)  # nothing is started
    said = kbx_here("compile", tmp_path / "relu.py")
    assert said.returncode == 2 and said.stdout == ""
    assert f"relu.py{words}" in said.stderr and said.stderr.count("\n") == 1


@pytest.mark.usefixtures("warm_workers")
@pytest.mark.parametrize(
    ("source", "words"),
    [
        (HONEST + "\n\nraise KeyError('at load')\n", "line 19: KeyError: 'at load'"),
        (HONEST.replace("    y =", "    while True:\n        pass\n    y ="), "compiled: timeout"),
        (HONEST.replace("    kernel[", "    while True:\n        kernel["), "time limit of 0.5 s"),
        ("def relu(input, inplace=False):\n    return input\n", "it launches no kernel"),
    ],
)
def test_where_nothing_is_compiled_it_is_said_within_the_limit(
    kbx_here: Kbx, tmp_path: Path, source: str, words: str
) -> None:
    (tmp_path / "relu.py").write_text(source)
    began = time.monotonic()
    limit = 1 if "time" in words else 60
    said = kbx_here("compile", tmp_path / "relu.py", "--time-limit", str(limit))
    assert time.monotonic() - began < 60
    assert said.returncode == 2 and said.stdout == ""
    assert "relu.py: nothing was compiled: " in said.stderr and words in said.stderr


def test_rows_of_one_name_show_the_arguments_in_which_they_differ() -> None:
    def row(name: str, **arguments: str) -> dict[str, object]:
        return {"name": name, "arguments": arguments, "configuration": {"BLOCK": "1"}}

    rows = [row("k", x="*fp32", n="i32", BLOCK="1"), row("k", x="*fp16", n="i32", BLOCK="2")]
    assert told_apart([*rows, row("other", x="*fp32")]) == ["x=*fp32", "x=*fp16", ""]
    assert told_apart([{"name": "k", "arguments": 3}, {"name": "k"}]) == ["", ""]


def test_an_unknown_card_is_refused(kbx: Kbx, tmp_path: Path) -> None:
    (tmp_path / "relu.py").write_text(BROKEN)
    said = kbx("compile", tmp_path / "relu.py", "--target", "sm_1")
    assert said.returncode == 2
    assert "sm_90" in said.stderr


@pytest.mark.usefixtures("warm_workers")
def test_what_is_being_done_is_said_on_standard_error_alone(kbx_here: Kbx, tmp_path: Path) -> None:
    (tmp_path / "relu.py").write_text(witness_source("activation/relu"))
    said = kbx_here("compile", tmp_path / "relu.py")
    assert said.returncode == 0, said.stderr
    assert [line.split()[0] for line in said.stderr.splitlines()] == [
        "loading", "interpreting", "compiling",
    ]  # fmt: skip
    assert "compiling" not in said.stdout
    assert kbx_here("compile", tmp_path / "relu.py", "--json").stderr == ""
