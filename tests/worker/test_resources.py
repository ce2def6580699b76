"""Registers, scalar registers and spilled memory are read from real binaries."""

from collections.abc import Callable
from typing import Any

import pytest

from kernelbenchx.worker.compiler.hsaco import BrokenCodeObject
from kernelbenchx.worker.resources import Resources, of_binary

Compile = Callable[..., Any]

CROWDED = """
@triton.jit
def crowded(x, y, n, SIZE: tl.constexpr):
    place = tl.arange(0, SIZE)
    total = tl.zeros((SIZE,), tl.float32)
    first = tl.load(x + place)
    second = tl.load(x + SIZE + place)
    for step in range(n):
        first, second = first * second, first + second + step
        total += first * second
    tl.store(y + place, total + first + second)


def main():
    x = torch.zeros(65536)
    crowded[(1,)](x, x, 3, num_warps=1, OPTIONS)
"""


# What leaves a thread too few registers, by the name that each backend has for it.
TIGHT = {"sm_90": (1024, "maxnreg=32"), "gfx942": (4096, "waves_per_eu=8")}


@pytest.mark.parametrize("target", TIGHT)
def test_a_kernel_with_too_few_registers_spills(compiled: Compile, target: str) -> None:
    size, option = TIGHT[target]
    (roomy,) = compiled(CROWDED.replace("OPTIONS", f"SIZE={size}"), target)["kernels"]
    (tight,) = compiled(CROWDED.replace("OPTIONS", f"SIZE={size}, {option}"), target)["kernels"]
    assert roomy["spills"] == roomy["stack_bytes"] == 0
    assert tight["stack_bytes"] == 4 * tight["spills"] > 0
    assert tight["registers"] < roomy["registers"]


def test_scalar_registers_are_amds_only(compiled: Compile) -> None:
    source = CROWDED.replace("OPTIONS", "SIZE=512")
    assert compiled(source, "gfx950")["kernels"][0]["scalar_registers"] > 0
    assert compiled(source, "sm_80")["kernels"][0]["scalar_registers"] is None


def test_spills_are_words_of_the_stack() -> None:
    assert Resources(registers=8, scalar_registers=None, stack_bytes=24).spills == 6


def test_what_is_no_binary_is_refused() -> None:
    with pytest.raises(BrokenCodeObject):
        of_binary(b"nothing", "hip")
    with pytest.raises(ValueError, match="not an NVIDIA binary"):
        of_binary(b"nothing", "cuda")
