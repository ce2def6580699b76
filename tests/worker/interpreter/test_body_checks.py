import ast
import math
import os
from typing import Any

import numpy as np
import pytest
import torch
import triton
import triton.language as tl

from kernelbenchx.worker.interpreter.body_checks import require_triton
from kernelbenchx.worker.interpreter.errors import NotTriton


def _python() -> None:
    """A plain function, which a compiler cannot call."""


NAMES: dict[str, Any] = {
    "tl": tl,
    "triton": triton,
    "math": math,
    "np": np,
    "os": os,
    "torch": torch,
    "LIMIT": tl.constexpr(3),
    "NUMBER": 4,
    "KEPT": torch.zeros(3),
    "ARRAY": np.zeros(3),
    "python": _python,
    "load": tl.load,
    "float32": tl.float32,
}


def _required(body: str) -> None:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    definition = ast.parse(f"def kernel(x_ptr, n, BLOCK):\n{lines}").body[0]
    assert isinstance(definition, ast.FunctionDef)
    require_triton("kernel", definition, NAMES)


@pytest.mark.parametrize(
    "body",
    [
        "x = tl.load(x_ptr + tl.arange(0, BLOCK)).to(tl.float32)",
        "for i in range(0, min(n, LIMIT)):\n    x = i * NUMBER",
        "y = x_ptr.dtype.element_ty",
        "y = tl.zeros((BLOCK,), float32) * math.pi + np.pi",
        "y = triton.language.math.exp(load(x_ptr))",
        "KEPT = tl.load(x_ptr)\ny = KEPT",
        "y = getattr(x_ptr, 'dtype')",
    ],
)
def test_triton_is_let_through(body: str) -> None:
    _required(body)


@pytest.mark.parametrize(
    "body",
    [
        "x = tl.load(x_ptr)\nx.handle.data = 0",
        "x = np.where(n < 0, 0, n)",
        "os.system('true')",
        "x = torch.relu(n)",
        "x = KEPT.clamp(0)",
        "x = ARRAY",
        "x = python()",
        "import numpy",
        "x = __import__('numpy')",
        "x = eval('n')",
        "x = n.__class__",
        "x = getattr(n, 'han' + 'dle')",
        "x = getattr(n, 'handle')",
        "x = triton.knobs.os.getcwd()",
    ],
)
def test_python_is_refused(body: str) -> None:
    with pytest.raises(NotTriton, match="kernel"):
        _required(body)
