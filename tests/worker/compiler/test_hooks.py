"""Methods are watched once, and only while the driver without a GPU is active."""

from collections.abc import Callable
from typing import Any

import pytest
from triton.runtime.driver import driver

from kernelbenchx.worker.compiler.compilation_record import Compilation
from kernelbenchx.worker.compiler.driver import CompileOnlyDriver
from kernelbenchx.worker.compiler.hooks import wrap
from kernelbenchx.worker.targets import find_target

Compile = Callable[..., Any]


class Watched:
    def double(self, x: int) -> int:
        return 2 * x


def noting(compilation: Compilation, original: Callable[..., Any], *args: Any) -> Any:
    compilation.launched.append("seen")
    return original(*args) + 1


@pytest.fixture
def compilation() -> Compilation:
    return Compilation(target=find_target("sm_90"), all_configurations=False, seed=0)


def test_a_method_is_watched_once_and_only_for_our_driver(
    monkeypatch: pytest.MonkeyPatch, compilation: Compilation
) -> None:
    wrap(Watched, "double", noting)
    wrap(Watched, "double", noting)
    monkeypatch.setattr(driver, "_active", object())
    assert Watched().double(3) == 6
    monkeypatch.setattr(driver, "_active", CompileOnlyDriver(find_target("sm_90"), compilation))
    assert Watched().double(3) == 7
    assert compilation.launched == ["seen"]


SLOW_TO_FAIL = """
@triton.jit
def broken(x, SIZE: tl.constexpr):
    tl.store(x + tl.arange(0, SIZE), tl.no_such_name())


def main():
    messages = []
    for size in (16, 16, 32):
        try:
            broken[(1,)](torch.zeros(64), SIZE=size)
        except triton.CompilationError as error:
            messages.append(str(error))
    return messages
"""


def test_what_failed_fails_again_without_another_try(compiled: Compile) -> None:
    reply = compiled(SLOW_TO_FAIL)
    assert len(reply["returned"]) == 3 and len(set(reply["returned"])) == 1
    assert [kernel["ok"] for kernel in reply["kernels"]] == [False, False]
    assert [kernel["arguments"] for kernel in reply["kernels"]] == [
        {"x": "*fp32:16", "SIZE": "16"},
        {"x": "*fp32:16", "SIZE": "32"},
    ]


def test_a_kernel_compiled_by_hand_is_listed_when_it_is_loaded(compiled: Compile) -> None:
    source = """
@triton.jit
def zero(x, SIZE: tl.constexpr):
    tl.store(x + tl.arange(0, SIZE), 0.0)


def main():
    source = triton.compiler.ASTSource(zero, {"x": "*fp32", "SIZE": "constexpr"}, {"SIZE": 64})
    kernel = triton.compile(source)
    LOAD
"""
    reply = compiled(source.replace("LOAD", "kernel[(2, 1, 1)](torch.zeros(64), 64)"))
    assert reply["raised"] is None
    (kernel,) = reply["kernels"]
    assert kernel["ok"] and kernel["name"] == "zero" and kernel["grid"] == [2, 1, 1]
    assert kernel["arguments"] == {"x": "*fp32", "SIZE": "64"}
    assert compiled(source.replace("LOAD", "pass"))["kernels"] == []
