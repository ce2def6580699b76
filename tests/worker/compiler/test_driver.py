"""The driver answers for the card: its facts, its limits, its benchmark, its workspace."""

from collections.abc import Callable
from typing import Any

import pytest

Compile = Callable[..., Any]

ASKING = """
@triton.jit
def copy(x, y, SIZE: tl.constexpr):
    place = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    tl.store(y + place, tl.load(x + place))


def main():
    from triton.runtime import driver

    facts = driver.active.utils.get_device_properties(driver.active.get_current_device())
    x = torch.zeros(1024)
    kernel = copy.warmup(x, x, SIZE=1024, num_warps=4, grid=(1,))
    kernel._init_handles()
    target = driver.active.get_current_target()
    per_processor = facts["max_num_regs"] // (kernel.n_regs * facts["warpSize"] * 4)
    kernel[(per_processor * facts["multiprocessor_count"], 1, 1)](x, x, 1024)
    return [facts, target.arch, kernel.n_regs, kernel.n_spills, kernel.metadata.shared]
"""


@pytest.mark.parametrize(("target", "arch"), [("sm_90", 90), ("gfx942", "gfx942")])
def test_a_wrapper_can_ask_for_the_cards_facts(
    compiled: Compile, target: str, arch: int | str
) -> None:
    reply = compiled(ASKING, target)
    assert reply["raised"] is None
    facts, said, registers, spills, shared = reply["returned"]
    (kernel,) = reply["kernels"]
    assert said == arch
    assert facts["max_shared_mem"] == kernel["shared_limit"]
    assert (registers, spills, shared) == (
        kernel["registers"],
        kernel["spills"],
        kernel["shared_bytes"],
    )
    assert kernel["grid"][0] % facts["multiprocessor_count"] == 0
    assert reply["launched"] == ["copy"]


def test_benchmarks_call_once_and_say_something(compiled: Compile) -> None:
    source = """
calls = []


def main():
    fn = lambda: calls.append(0)
    return [
        triton.testing.do_bench(fn),
        triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8]),
        triton.testing.do_bench(fn, quantiles=[0.5]),
        triton.testing.do_bench(fn, return_mode="all"),
        triton.testing.do_bench_cudagraph(fn, rep=20),
        len(calls),
    ]
"""
    assert compiled(source)["returned"] == [1.0, [1.0, 1.0, 1.0], 1.0, [1.0], 1.0, 5]


GRID = """
@triton.jit
def nothing(x):
    tl.store(x, 0.0)


def main():
    nothing[GRID](torch.zeros(4))
"""


def test_a_grid_that_no_card_takes_is_refused(compiled: Compile) -> None:
    assert compiled(GRID.replace("GRID", "(70000, 65535)"))["raised"] is None
    refused = compiled(GRID.replace("GRID", "(1, 70000)"))["raised"]
    assert refused["type"] == "RuntimeError"
    assert "invalid argument" in refused["message"] and "70000" in refused["message"]


def test_an_empty_grid_is_no_error(compiled: Compile) -> None:
    reply = compiled(GRID.replace("GRID", "(0, 70000)"))
    assert reply["raised"] is None
    assert reply["kernels"][0]["ok"]


DESCRIPTORS = """
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def through_host(source, target):
    target.store([0, 0], source.load([16, 0]))


@triton.jit
def on_device(x, rows, columns):
    blocks = tl.make_tensor_descriptor(x, [rows, columns], [columns, 1], [16, 32])
    blocks.store([0, 0], blocks.load([16, 0]))


def main():
    ALLOCATOR
    x = torch.zeros(64, 64)
    blocks = TensorDescriptor.from_tensor(x, [16, 32])
    through_host[(1,)](blocks, blocks)
    on_device[(4,)](x, 64, 64)
"""


def test_descriptors_compile_and_ask_for_a_workspace_where_the_card_does(
    compiled: Compile,
) -> None:
    allocator = "triton.set_allocator(lambda size, align, stream: torch.zeros(size))"
    reply = compiled(DESCRIPTORS.replace("ALLOCATOR", allocator))
    assert reply["raised"] is None
    assert reply["launched"] == ["through_host", "on_device"]
    assert all(kernel["ok"] for kernel in reply["kernels"])
    forgotten = DESCRIPTORS.replace("ALLOCATOR", "pass")
    assert "no allocator was set" in compiled(forgotten)["raised"]["message"]
    # Before Hopper descriptors are ordinary pointers.
    assert compiled(forgotten, "sm_80")["raised"] is None
