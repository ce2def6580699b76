"""What may be imported and used."""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.imports import is_allowed
from kernelbenchx.checks.rule import Report

Examine = Callable[..., Report]
ENTRY = "def f(x, y):\n    return launch(x)\n"


@pytest.mark.parametrize(
    "line",
    [
        "from __future__ import annotations",
        "import math, itertools",
        "from typing import Optional, Tuple",
        "from functools import lru_cache",
        "import torch.nn.functional as F",
        "import torch.nn as nn",
        "from triton.language.extra import libdevice",
        "from triton.language.extra.cuda import libdevice",
        "from triton.language import math as tlm",
        "import triton.testing",
        "from triton.runtime import driver",
        "from collections.abc import Sequence",
    ],
)
def test_what_a_wrapper_needs_is_allowed(line: str, examine: Examine, around: Examine) -> None:
    assert not around(ENTRY).fatal
    assert "imports" not in {finding.rule for finding in examine(f"{line}\n").fatal}


@pytest.mark.parametrize(
    "line",
    [
        "import os",
        "import sys as s",
        "import numpy as np",
        "from torch import *",
        "from . import other",
        "import torch.utils.cpp_extension",
        "from torch._C import _cuda_init",
        "import torch._inductor",
        "from triton.compiler import compile",
        "import triton.knobs",
        "from triton.experimental import gluon",
        "import importlib",
        "from functools import singledispatch",
        "from typing import get_type_hints",
        "import flash_attn",
        "import ctypes",
    ],
)
def test_anything_else_is_refused_by_name(line: str, examine: Examine) -> None:
    refused = [f for f in examine(f"\n{line}\n").fatal if f.rule == "imports"]
    assert [finding.line for finding in refused] == [2]


def test_what_never_runs_is_only_noted(around: Examine) -> None:
    idle = "def test():\n    import numpy\n"
    report = around(ENTRY + idle)
    assert not report.fatal
    assert [finding.rule for finding in report.findings] == ["imports"]
    used = around(ENTRY.replace("return launch", "test()\n    return launch") + idle)
    assert [finding.rule for finding in used.fatal] == ["imports"]


def test_timing_inside_the_entry_is_refused(around: Examine) -> None:
    timed = "def f(x, y):\n    triton.testing.do_bench(lambda: x)\n    return launch(x)\n"
    assert [finding.rule for finding in around(timed).fatal] == ["parts"]


@pytest.mark.parametrize(
    "path", ["math.sqrt", "itertools.chain.from_iterable", "triton.cdiv", "triton.language.math"]
)
def test_parts_that_are_allowed(path: str) -> None:
    assert is_allowed(path)


@pytest.mark.parametrize(
    "path", ["math.__loader__", "typing.sys", "triton.compile", "triton.language.core.os", "os"]
)
def test_parts_that_are_not(path: str) -> None:
    assert not is_allowed(path)
