"""How a test becomes steps, tried on one written here, and that other steps are noticed."""

from pathlib import Path
from typing import Any

import pytest

from script_files import script

FILES = script("published_test_files")
RECORDER = script("published_test_recorder")
CHECK = script("published_test_check")
CONVERT = script("convert_published_tests")

FUNCTION = """
import torch

def halve(x, times=1):
    if times < 0:
        raise ValueError("negative")
    return x / 2 ** times, x
"""
TEST = """
import torch
from data_utils import rand_tensor

def test_halve():
    results = {}
    for mode in ("standard", "outlier"):
        x = rand_tensor((2, 3), dtype=torch.float16, mode=mode, outlier_prob=0.1, outlier_scale=5.0)
        results[mode] = [halve(x[:, 1:], times=2)]
    low, same = halve(1 - torch.ones(4, device="cuda").cpu())
    results["pair"] = (low, same.sum().item())
    try:
        results["text"] = halve(torch.zeros(1), times=-1)
    except ValueError as error:
        results["text"] = str(error)
    return results

test_results = test_halve()
"""
STEPS = [
    ["x1", "randn", [[2, 3]], {"dtype": "torch.float16"}],
    ["v1", "getitem", ["$x1", {"tuple": [{"slice": [None] * 3}, {"slice": [1, None, None]}]}]],
    ["y1", "call", ["$v1"], {"times": 2}],
    {"result": "standard", "is": ["$y1"]},
    ["x2", "outlier", [[2, 3], 0.1, 5.0], {"dtype": "torch.float16"}],
    ["v2", "getitem", ["$x2", {"tuple": [{"slice": [None] * 3}, {"slice": [1, None, None]}]}]],
    ["y2", "call", ["$v2"], {"times": 2}],
    {"result": "outlier", "is": ["$y2"]},
    ["x3", "ones", [[4]]],
    ["v3", ".cpu", ["$x3"]],
    ["v4", "sub", [1, "$v3"]],
    ["y3", "call", ["$v4"]],
    ["u1", "unpack", ["$y3", 2]],
    ["v5", "getitem", ["$u1", 0]],
    ["v6", "getitem", ["$u1", 1]],
    ["v7", ".sum", ["$v6"]],
    ["v8", ".item", ["$v7"]],
    {"result": "pair", "is": {"tuple": ["$v5", "$v8"]}},
    {
        "try": [
            ["x4", "zeros", [[1]], {"device": "cpu"}],
            ["y4", "call", ["$x4"], {"times": -1}],
            {"result": "text", "is": "$y4"},
        ],
        "except": "ValueError",
        "then": [{"result": "text", "is": "$error"}],
    },
]
HELPERS = """
import torch

def rand_tensor(shape, *, dtype, mode, outlier_prob, outlier_scale):
    drawn = torch.randn(*shape, device="cuda", dtype=dtype)
    if mode == "outlier":
        mask = torch.rand(*shape, device="cuda") < outlier_prob
        count = int(mask.sum().item())
        if count > 0:
            drawn[mask] = torch.randn(count, device="cuda", dtype=dtype) * outlier_scale
    return drawn
"""


@pytest.fixture
def published(tmp_path: Path) -> Any:
    path = tmp_path / "data/kernelbenchx/Math/halve.py"
    path.parent.mkdir(parents=True)
    path.write_text(FUNCTION + FILES.SEPARATOR + TEST)
    (tmp_path / "utils").mkdir()
    (tmp_path / "utils/data_utils.py").write_text(HELPERS)
    return FILES.TestFile.read("math/halve", path, tmp_path)


def test_draws_calls_and_results_are_written_in_their_order(published: Any) -> None:
    assert published.entry == "halve"
    assert published.needs == []
    assert RECORDER.record(published) == {"steps": STEPS}


def test_the_steps_draw_what_the_test_draws(published: Any) -> None:
    assert CHECK.difference(published, {"steps": STEPS}) == ""


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ([*STEPS[4:8], *STEPS[:4], *STEPS[8:]], "has other arguments"),
        ([*STEPS[:3], *STEPS[4:]], "results ['outlier', 'pair', 'text'], not"),
        ([*STEPS, ["y5", "call", ["$x3"]]], "5 calls, not 4"),
        ([*STEPS, ["v9", "no_such", []]], "BadProgram"),
    ],
)
def test_other_steps_are_noticed(published: Any, changed: list[Any], said: str) -> None:
    assert said in CHECK.difference(published, {"steps": changed})


def test_a_branch_on_values_is_refused(published: Any, tmp_path: Path) -> None:
    path = tmp_path / "data/kernelbenchx/Math/halve.py"
    branch = "    if (torch.ones(1) > 0):\n        results = {}\n    return results"
    path.write_text(path.read_text().replace("    return results", branch))
    found = FILES.TestFile.read("math/halve", path, tmp_path)
    described, problem = CONVERT.converted(found)
    assert "a branch that depends on values" in problem
    assert "steps" not in described
