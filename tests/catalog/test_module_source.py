"""The source of `Model` as it is shown: it runs alone, and says nothing of sizes or cases."""

from pathlib import Path
from typing import Any

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.catalog.module_source import _cut, module_source
from kernelbenchx.core.errors import BrokenTask
from kernelbenchx.spec.problem import Problem

SOME = ("level1/elu", "level2/gemm_batch_norm_gelu_relu", "level3/mini_gpt_block")
BEGIN = "import torch\nfrom torch import nn\n\nfrom kernelbenchx.spec import problem\n\n\n"


@pytest.mark.parametrize("name", SOME)
def test_what_is_shown_computes_what_the_task_computes(name: str) -> None:
    task = catalog.load(name)
    shown: dict[str, Any] = {"__name__": "shown"}
    assert isinstance(task, Problem)
    exec(compile(module_source(name), "shown.py", "exec"), shown)
    call = task.draw(task.checks[0], 0)
    one, other = (
        task.outputs(made, call).leaves[0].value for made in (shown["Model"], task.reference)
    )
    assert torch.equal(one, other)


@pytest.mark.parametrize("name", catalog.problem_names())
def test_nothing_but_the_module_is_shown(name: str) -> None:
    source = module_source(name)
    assert "class Model(nn.Module):" in source
    for secret in ("TASK", "kernelbenchx", "published", "ranges", "small=", "# type:", "noqa"):
        assert secret not in source


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "made.py"
    path.write_text(BEGIN + text)
    return _cut(path)


def test_only_what_the_module_uses_is_kept(tmp_path: Path) -> None:
    text = "WIDE = 3\nOTHER = 4\n\n\ndef twice(x): return 2 * x\n\n\ndef inputs(x): return x\n\n\n"
    text += "class Model(nn.Module):\n    def forward(self, x):\n"
    text += "        return twice(x)[:WIDE]  # type: ignore[x]\n\n\nTASK = problem(Model, inputs)\n"
    shown = written(tmp_path, text)
    assert "WIDE = 3" in shown and "def twice" in shown and "return twice(x)[:WIDE]\n" in shown
    for left_out in ("OTHER", "inputs", "TASK", "problem", "type:", "import torch\nfrom"):
        assert left_out not in shown


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("class Network(nn.Module): ...\n", "defines a class `Model`"),
        ("class Model(nn.Module):\n    made = problem\n", "uses kernelbenchx.spec"),
    ],
)
def test_a_file_that_cannot_be_shown_is_refused(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(BrokenTask, match=why):
        written(tmp_path, text)
