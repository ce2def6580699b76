"""An unmodified submission runs on the driver without a GPU, and what it launches is compiled."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Compile = Callable[..., Any]
WORKER = Path(__file__).parents[2] / "src" / "kernelbenchx"

SOFTMAX = """
@triton.jit
def softmax(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    place = tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + place, mask=place < columns, other=-float("inf"))
    values = tl.exp(values - tl.max(values, axis=0))
    tl.store(y + row * columns + place, values / tl.sum(values, axis=0), mask=place < columns)


def main():
    x = torch.ones(4, 1000)
    y = torch.zeros_like(x)
    softmax[(4,)](x, y, 1000, BLOCK=1024)
    return float(y.sum())
"""

PRODUCT = """
@triton.jit
def product(a, b, c, K, SIZE: tl.constexpr, DEPTH: tl.constexpr):
    row = tl.arange(0, SIZE)
    depth = tl.arange(0, DEPTH)
    total = tl.zeros((SIZE, SIZE), tl.float32)
    for start in range(0, K, DEPTH):
        left = tl.load(a + row[:, None] * K + start + depth[None, :])
        right = tl.load(b + (start + depth)[:, None] * SIZE + row[None, :])
        total += tl.dot(left, right)
    tl.store(c + row[:, None] * SIZE + row[None, :], total)


def main(size=SIZE_HERE, depth=DEPTH_HERE):
    a = torch.zeros(size, 512, dtype=torch.float16)
    b = torch.zeros(512, size, dtype=torch.float16)
    c = torch.zeros(size, size)
    product[(1,)](a, b, c, 512, SIZE=size, DEPTH=depth, num_warps=4, num_stages=3)
"""

NAMES = ("sm_80", "sm_89", "sm_90", "sm_100", "gfx942", "gfx950")


def product(size: int, depth: int) -> str:
    return PRODUCT.replace("SIZE_HERE", str(size)).replace("DEPTH_HERE", str(depth))


@pytest.mark.parametrize("target", NAMES)
def test_each_target_compiles_a_softmax_and_executes_nothing(
    compiled: Compile, target: str
) -> None:
    reply = compiled(SOFTMAX, target)
    (kernel,) = reply["kernels"]
    assert kernel["ok"] and kernel["error"] is None
    assert 4 < kernel["registers"] < 64
    assert kernel["spills"] == kernel["stack_bytes"] == 0
    assert 0 < kernel["shared_bytes"] < 1024
    assert kernel["grid"] == [4, 1, 1]
    assert kernel["seconds"] > 0
    assert reply["launched"] == ["softmax"]
    assert reply["returned"] == 0.0


@pytest.mark.parametrize("target", NAMES)
def test_each_target_compiles_a_product_with_its_operands_in_shared_memory(
    compiled: Compile, target: str
) -> None:
    (kernel,) = compiled(product(64, 32), target)["kernels"]
    assert kernel["ok"]
    assert kernel["shared_bytes"] >= 64 * 32 * 2
    assert (kernel["num_warps"], kernel["num_stages"]) == (4, 3)


@pytest.mark.slow
def test_too_much_shared_memory_is_out_of_resources_as_on_the_card(compiled: Compile) -> None:
    fits = compiled(product(128, 128), "sm_90")
    assert fits["raised"] is None
    too_much = compiled(product(128, 128), "sm_89")
    assert too_much["raised"]["type"] == "OutOfResources"
    (kernel,) = too_much["kernels"]
    assert not kernel["ok"] and not kernel["skipped"]
    assert kernel["error"]["type"] == "OutOfResources"
    assert kernel["shared_bytes"] > kernel["shared_limit"] == 101376
    assert kernel["registers"] > 0
    assert too_much["launched"] == []


def test_a_specialisation_is_listed_once_however_often_it_is_launched(compiled: Compile) -> None:
    source = SOFTMAX.replace("softmax[(4,)](x, y, 1000", "for n in COLUMNS: softmax[(4,)](x, y, n")
    same = compiled(source.replace("COLUMNS", "(1001, 1003)"))
    assert len(same["kernels"]) == 1
    assert same["launched"] == ["softmax", "softmax"]
    # 1 is a constant, 1008 is divisible by 16, 2**40 needs 64 bits.
    other = compiled(source.replace("COLUMNS", "(1001, 1, 1008, 2**40)"))
    assert len(other["kernels"]) == 4


def test_a_kernel_made_anew_in_each_call_is_one_kernel(compiled: Compile) -> None:
    source = """
def launch(x):
    @triton.jit
    def inner(x, FACTOR: tl.constexpr):
        tl.store(x, tl.WHAT(tl.load(x) * FACTOR))

    inner[(1,)](x, FACTOR=2)


def main():
    for _ in range(3):
        try:
            launch(torch.zeros(4))
        except triton.CompilationError:
            pass
"""
    assert len(compiled(source.replace("WHAT", "exp"))["kernels"]) == 1
    (broken,) = compiled(source.replace("WHAT", "expp"))["kernels"]
    assert not broken["ok"]


def test_heuristics_constants_and_absent_arguments_reach_the_compiler(compiled: Compile) -> None:
    source = """
@triton.heuristics({"EVEN": lambda arguments: arguments["n"] % arguments["BLOCK"] == 0})
@triton.jit
def scale(x, bias, n, BLOCK: tl.constexpr, EVEN: tl.constexpr, KIND: tl.constexpr = tl.float32):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        values = tl.load(x + place)
    else:
        values = tl.load(x + place, mask=place < n)
    if bias is not None:
        values += tl.load(bias)
    tl.store(x + place, values.to(KIND), mask=place < n)


def main():
    x = torch.zeros(256)
    scale[lambda meta: (triton.cdiv(200, meta["BLOCK"]),)](x, None, 200, BLOCK=128)
    scale[(2,)](x, x, 256, BLOCK=128, KIND=tl.float16)
"""
    reply = compiled(source)
    assert reply["raised"] is None
    assert [kernel["ok"] for kernel in reply["kernels"]] == [True, True]
    assert [kernel["grid"] for kernel in reply["kernels"]] == [[2, 1, 1], [2, 1, 1]]
    wrong = source.replace("if bias is not None:", "if True:")
    assert [kernel["ok"] for kernel in compiled(wrong)["kernels"]] == [False]


def test_an_unknown_target_is_refused_with_the_names(compiled: Compile) -> None:
    from kernelbenchx.worker.cross_compile import install

    with pytest.raises(ValueError, match=r"unknown target 'sm_70'.*sm_80.*gfx950"):
        install("sm_70", all_configurations=False, seed=0)


def test_interpreting_and_compiling_do_not_share_a_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from kernelbenchx.worker.cross_compile import install

    monkeypatch.setenv("TRITON_INTERPRET", "1")
    with pytest.raises(RuntimeError, match="cannot share a process"):
        install("sm_90", all_configurations=False, seed=0)


WARMED = """
import torch
from triton.compiler import compiler
from triton.runtime.cache import triton_key
from triton.runtime.driver import driver
from worker.cross_compile import prewarm_for_gpu

prewarm_for_gpu()
assert triton_key.cache_info().currsize == 1
assert driver._active is None and driver._default is None
assert compiler.max_shared_mem.cache_info().currsize == 0
assert not torch.cuda.is_initialized()
print("warm")
"""


@pytest.mark.slow
def test_a_parent_of_children_with_a_card_warms_the_compiler_and_asks_no_card() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(WORKER), *sys.path])}
    ran = subprocess.run(
        [sys.executable, "-c", WARMED], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.stdout == "warm\n", ran.stderr
