"""Errors name line and column of the submission's file, in few words."""

from collections.abc import Callable
from typing import Any

import pytest

from kernelbenchx.worker.compiler.errors import MESSAGE_CAP, describe, truncate

Compile = Callable[..., Any]
LineOf = Callable[[str, str], int]

KERNEL = '''
@triton.jit
def double(x):
    """Called from the kernel."""
    return x * 2 + 0 * tl.arange(0, 16)


class Holder:
    @staticmethod
    @triton.jit
    def kernel(
        x, y,
        SIZE: tl.constexpr,
    ):
        place = tl.arange(0, SIZE)
        values = tl.load(x + place[:, None] * SIZE + place[None, :])
        LINE
        tl.store(y + place[:, None] * SIZE + place[None, :], values)


def main():
    x = torch.zeros(16, 16)
    Holder.kernel[(1,)](x, x, SIZE=16)
'''

BROKEN = {
    "an unknown name": ("values = tl.exq(values)", "values = tl.exp(values)", "tl.exq", "exq"),
    "shapes that do not go together": (
        "values = values + tl.arange(0, 32)",
        "values = values + tl.arange(0, 16)",
        "values + tl",
        "16",
    ),
    "a product that is too shallow": (
        "values = tl.dot(tl.zeros((16, 8), tl.float32), tl.zeros((8, 16), tl.float32))",
        "values = tl.dot(tl.zeros((16, 16), tl.float32), tl.zeros((16, 16), tl.float32))",
        "tl.dot",
        "K >= 16",
    ),
    "a list comprehension": (
        "values = values * [4 for _ in range(4)][0]",
        "values = values * 4",
        "[4 for",
        "comprehension|ListComp",
    ),
    "a size that is no power of 2": (
        "values += tl.arange(0, 17)",
        "values += tl.arange(0, 16)",
        "tl.arange(0, 17)",
        "power of 2",
    ),
    "an error inside the language": (
        "values = tl.sum(values, axis=7)",
        "values = tl.sum(values, axis=1)[:, None] + 0 * values",
        "tl.sum",
        "axis",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_line_is_named_and_the_mended_one_compiles(
    compiled: Compile, line_of: LineOf, what: str
) -> None:
    broken, mended, at, says = BROKEN[what]
    source = KERNEL.replace("LINE", broken)
    reply = compiled(source)
    (kernel,) = reply["kernels"]
    assert reply["raised"]["type"] == kernel["error"]["type"]
    assert not kernel["ok"] and kernel["registers"] is None
    assert kernel["error"]["line"] == line_of(source, broken)
    assert kernel["error"]["column"] == (8 + broken.index(at)) + 1
    assert any(word in kernel["error"]["message"] for word in says.split("|"))
    assert len(kernel["error"]["message"]) < 500

    (mended_kernel,) = compiled(KERNEL.replace("LINE", mended))["kernels"]
    assert mended_kernel["ok"] and mended_kernel["error"] is None


def test_an_error_in_a_called_function_is_placed_there(compiled: Compile, line_of: LineOf) -> None:
    source = KERNEL.replace("LINE", "values = double(values)")
    assert compiled(source)["kernels"][0]["ok"]
    broken = source.replace("tl.arange(0, 16)", "tl.arange(0, 32)")
    error = compiled(broken)["kernels"][0]["error"]
    assert error["line"] == line_of(broken, "tl.arange(0, 32)")
    assert error["column"] == "    return x * 2 + 0 * tl.arange(0, 32)".index("x * 2") + 1


def test_a_failing_assembler_is_told_in_short(compiled: Compile, line_of: LineOf) -> None:
    assembly = (
        'values = tl.inline_asm_elementwise("INSTRUCTION $0, $1;", "=r,r", [values], '
        "dtype=tl.float32, is_pure=True, pack=1)"
    )
    source = KERNEL.replace("LINE", assembly.replace("INSTRUCTION", "no.such.f32"))
    (kernel,) = compiled(source)["kernels"]
    assert kernel["error"]["type"] == "PTXASError"
    assert "no.such" in kernel["error"]["message"] or "ptxas" in kernel["error"]["message"]
    assert len(kernel["error"]["message"]) <= MESSAGE_CAP
    assert ".visible .entry" not in kernel["error"]["message"]
    assert kernel["error"]["line"] == line_of(source, "    def kernel(")
    mended = KERNEL.replace("LINE", assembly.replace("INSTRUCTION", "mov.b32"))
    assert compiled(mended)["kernels"][0]["ok"]


def test_a_pass_that_fails_is_placed_by_what_it_prints() -> None:
    def kernel() -> None: ...

    class Function:
        fn = kernel
        starting_line_number = 1
        raw_src = ("@triton.jit\n", "def kernel():\n")

    path = kernel.__code__.co_filename
    printed = f'noise\nloc("{path}":12:8): error: operand is too large\nmodule {{}}\n'
    error = RuntimeError("PassManager::run failed")
    assert describe(error, Function, printed) == {
        "type": "RuntimeError",
        "message": "PassManager::run failed: operand is too large",
        "line": 12,
        "column": 9,
    }
    silent = describe(error, Function, "")
    assert (silent["line"], silent["column"]) == (2, None)
    assert silent["message"] == "PassManager::run failed"


def test_long_messages_are_cut_and_short_ones_kept() -> None:
    assert truncate(" short ") == "short"
    long = truncate("x" * (MESSAGE_CAP + 1))
    assert len(long) == MESSAGE_CAP and long.endswith("…")
