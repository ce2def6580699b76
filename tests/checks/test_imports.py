"""What may be imported and used."""

import ast
from collections.abc import Callable

import pytest

from kernelbenchx.checks.imports import without_idle_imports
from kernelbenchx.checks.rule import Report
from kernelbenchx.checks.source import parse

Examine = Callable[..., Report]
ENTRY = "def f(x, y):\n    return launch(x)\n"


@pytest.mark.parametrize(
    "line",
    [
        "from __future__ import annotations",
        "import math, itertools",
        "from typing import Optional, Tuple",
        "from functools import lru_cache",
        "from operator import mul",
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
    ("line", "name"),
    [
        ("import os", "os"),
        ("import sys as s", "s"),
        ("import numpy as np", "np"),
        ("from . import other", "other"),
        ("import torch.utils.cpp_extension", "torch"),
        ("from torch._C import _cuda_init", "_cuda_init"),
        ("import torch._inductor", "torch"),
        ("from triton.compiler import compile", "compile"),
        ("import triton.knobs", "triton"),
        ("from triton.experimental import gluon", "gluon"),
        ("import importlib", "importlib"),
        ("from functools import singledispatch", "singledispatch"),
        ("from operator import attrgetter", "attrgetter"),
        ("from typing import get_type_hints", "get_type_hints"),
        ("import flash_attn", "flash_attn"),
        ("import ctypes", "ctypes"),
    ],
)
def test_anything_else_is_refused_by_name_where_it_is_read(
    line: str, name: str, examine: Examine
) -> None:
    for where in (
        "\n{0}\n{1}\n",
        "def g():\n    {0}\n    return {1}\n",
        "try:\n    {0}\nfinally:\n    {1}\n",
    ):
        refused = [f for f in examine(where.format(line, name)).fatal if f.rule == "imports"]
        assert [finding.line for finding in refused] == [2]
    idle = examine(f"\n{line}\n")
    assert "imports" not in {finding.rule for finding in idle.fatal}
    assert [(f.rule, f.line) for f in idle.findings if not f.fatal] == [("imports", 2)]


@pytest.mark.parametrize(
    "line", ["from torch import *", "from numpy import *", "class C:\n    import math"]
)
def test_what_hides_its_names_is_refused_read_or_not(line: str, examine: Examine) -> None:
    refused = examine(f"{line}\n").fatal
    assert ("imports" in {f.rule for f in refused}) == ("*" in line)
    used = examine(f"{line}\n    math.sqrt\n" if "class" in line else line).fatal
    assert "imports" in {finding.rule for finding in used}


def test_an_idle_import_may_stand_in_any_code(around: Examine) -> None:
    for idle in ("import logging, os\n", "def test():\n    import numpy as np\n"):
        report = around(ENTRY + idle)
        assert not report.fatal
        assert {finding.rule for finding in report.findings} == {"imports"}
    used = around(ENTRY + "def test():\n    import numpy as np\n    return np.ones(3)\n")
    assert [finding.rule for finding in used.fatal] == ["imports"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("import os\nx = 1\n", "(       )\nx = 1\n"),
        ("import os, math\nmath.pi\n", None),
        ("x = 1; import os; y = 2\n", None),
        ("from os import (  # é\n    path,\n    sep,\n)\nx = 1\n", None),
        ("from os import \\\n    path; x = 1\n", None),
        ("if x:\n    import os\nelse: import sys\n", None),
        ("\ufeffimport os\nx = 1\n", None),
        ("é = 1; import os; ü = 2\n", None),
        ("import os\r\nx = 1\r\n", None),
        ("import os", "(       )"),
        ("try:\n    import a, b\nexcept E:\n    pass\n", None),
        ("import os,math;import os as a;from os import b; math.pi\n", None),
    ],
)
def test_idle_imports_are_taken_out_and_all_lines_stay(text: str, left: str | None) -> None:
    got = without_idle_imports(parse(text))
    assert left is None or got == left
    assert "os" not in got.replace("e" * 3, "")
    assert got.count("\n") == text.count("\n")
    before, after = (ast.parse(one.removeprefix("\ufeff")) for one in (text, got))
    kept = [n for n in ast.walk(before) if isinstance(n, ast.Name)]
    same = [n for n in ast.walk(after) if isinstance(n, ast.Name)]
    assert [(n.id, n.lineno) for n in kept] == [(n.id, n.lineno) for n in same]


def test_other_text_stays_as_it_is() -> None:
    text = "import math, torch\nfrom typing import (\n    List,\n)\nx = 'import os'\n"
    assert without_idle_imports(parse(text)) == text
    read = "import os\nos\n"
    assert without_idle_imports(parse(read)) == read


def test_timing_inside_the_entry_is_refused(around: Examine) -> None:
    timed = "def f(x, y):\n    triton.testing.do_bench(lambda: x)\n    return launch(x)\n"
    assert [finding.rule for finding in around(timed).fatal] == ["parts"]


@pytest.mark.parametrize(
    "use",
    [
        "triton.testing.np.sum(x)",
        "triton.testing.os",
        "torch.os.system('x')",
        "torch.nn.functional.np",
        "tl.core.knobs",
        "tl.math.core.builtins",
        "getattr(torch, 'os')",
        "(torch if x else tl).sys",
        "(t := torch).os",
        "torch.utils.cpp_extension",
    ],
)
@pytest.mark.parametrize(
    "where",
    ["{}\n", "def idle():\n    {}\n", "if __name__ == '__main__':\n    {}\n", "x: {} = 1\n"],
)
def test_parts_that_are_not_listed_are_refused_everywhere(
    use: str, where: str, around: Examine
) -> None:
    if ":=" in use and "x:" in where:
        return
    assert "parts" in {finding.rule for finding in around(ENTRY + where.format(use)).fatal}


def test_a_name_that_triton_lacks_is_no_matter_of_the_checks(around: Examine) -> None:
    kernel = "@triton.jit\ndef k(x):\n    tl.store(x, tl.foo(tl.libdevice.bar(1)))\n"
    used = ENTRY.replace("launch(x)", "k[(1,)](x)")
    assert not around(kernel + used).findings
