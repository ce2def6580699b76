"""Reading a submission: what is refused unread, and what counts as a kernel."""

import time

import pytest

from kernelbenchx.checks.names import DEEPEST
from kernelbenchx.checks.scopes import Unreadable
from kernelbenchx.checks.source import MOST_CHARACTERS, MOST_LINES, parse, too_long

KERNEL = "@triton.jit\ndef k(x):\n    pass\n"
IMPORTS = "import triton\nimport triton.language as tl\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("def f(:\n", 1),
        ("x = 1\ny = = 2\n", 2),
        ("x = 1\n\0\n", 2),
        ("\ud800", 1),
        ("# -*- coding: utf-7 -*-\nx = 1\n", 1),
        ("\n# vim: set fileencoding=latin-1\n", 2),
        ("x" * (MOST_CHARACTERS + 1), 1),
        ("x = " + "-" * 9999 + "1", 1),
        ("x = " + "(" * 300 + ")" * 300, 1),
        ("a = " + ".b".join("x" * (DEEPEST + 9)), 1),
        ("x;" * 60_000, 1),
    ],
    ids=range(11),
)
def test_what_cannot_be_checked_is_refused_with_a_line(text: str, line: int) -> None:
    with pytest.raises(Unreadable) as refused:
        parse(text)
    assert refused.value.line == line


def test_what_is_too_long_is_refused_unread() -> None:
    """The tree of such a text would take hundreds of megabytes."""
    for text in ("x = 1\n" * (MOST_LINES + 1), "#" * (MOST_CHARACTERS + 1)):
        assert too_long(text)
        began = time.process_time()
        with pytest.raises(Unreadable) as refused:
            parse(text)
        assert refused.value.why == too_long(text)
        assert time.process_time() - began < 0.05
    assert too_long("\n" * MOST_LINES) == too_long("#" * MOST_CHARACTERS) == ""


@pytest.mark.parametrize("text", ["", "\ufeffx = 1\n", "# coding: UTF-8\nx = 1\n", "x = '\\d'\n"])
def test_odd_but_readable_text_is_read(text: str) -> None:
    assert parse(text).tree is not None


@pytest.mark.parametrize(
    "text",
    [
        KERNEL,
        "@triton.jit(do_not_specialize=[0])\ndef k(x):\n    pass\n",
        "@triton.autotune(configs=[], key=[])\n@triton.heuristics({})\n" + KERNEL,
        "from triton import jit as j\n@j\ndef k(x):\n    pass\n",
        "j = triton.jit\n@j\ndef k(x):\n    pass\n",
        "def k(x):\n    pass\nkernel = triton.autotune([], [])(triton.jit(k))\n",
    ],
)
def test_kernels_are_found_however_they_are_made(text: str) -> None:
    assert [kernel.name for kernel in parse(IMPORTS + text).kernels()] == ["k"]


@pytest.mark.parametrize(
    "text",
    [
        "def k(x):\n    pass\n",
        "from numba import jit\n@jit\ndef k(x):\n    pass\n",
        "def jit(f):\n    return f\n@jit\ndef k(x):\n    pass\n",
    ],
)
def test_other_functions_are_no_kernels(text: str) -> None:
    assert parse(IMPORTS + text).kernels() == []
