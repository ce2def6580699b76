"""Code is told apart by what it does and how large it is, and refused where it does not fit."""

from types import SimpleNamespace
from typing import Any

import pytest
from triton.runtime.errors import OutOfResources

from kernelbenchx.worker.compiler import front_end
from kernelbenchx.worker.compiler.front_end import KernelIr, fitting

CODE = """
tt.func @k(%x: !tt.ptr<f32>) {
  %a = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %b = arith.addf %a, %a : tensor<64x32xf32>
"""
llvm = SimpleNamespace(to_module=lambda module, context: (module, context))


class Backend:
    """Has LLVM in its module, as Triton's backends do."""


def built(text: str, options: str = "") -> KernelIr:
    module = SimpleNamespace(str_nodebug=lambda: text)
    return KernelIr(None, module, Backend(), SimpleNamespace(hash=lambda: options), ())


def test_codes_that_differ_in_sizes_do_the_same_and_have_different_sizes() -> None:
    small, large = built(CODE), built(CODE.replace("64", "128"))
    assert small.operations == large.operations
    assert (small.elements, large.elements) == (64 + 64 * 32, 128 + 128 * 32)


def test_repetitions_and_the_head_of_a_function_are_no_operation() -> None:
    twice = CODE + "  %c = arith.addf %b, %b : tensor<64x32xf32>"
    divisible = CODE.replace("ptr<f32>", "ptr<f32> {tt.divisibility = 16 : i32}")
    assert built(CODE).operations == built(twice).operations == built(divisible).operations


@pytest.mark.parametrize(
    "other", [CODE.replace("addf", "mulf"), CODE.replace("xf32", "xbf16"), CODE + "scf.yield"]
)
def test_another_operation_or_type_is_something_else(other: str) -> None:
    assert not built(other).operations <= built(CODE).operations


MOVES = """
  %a = tt.load %p : tensor<64x!tt.ptr<f16>>
  %c0_i64 = arith.extf %a : tensor<64xf16> to tensor<64xf32>
"""


def test_moves_and_conversions_count_without_types() -> None:
    assert built(MOVES).computations == {"tt.load", "arith.extf"}
    computed = "%d = arith.addf %a, %a : tensor<64xf16>"
    assert built(MOVES + computed).computations == {"tt.load", "arith.extf", "arith.addf f16"}


def test_names_of_values_are_no_types() -> None:
    assert "arith.extf f16 f32" in built(MOVES).operations


def test_what_needs_too_much_shared_memory_never_gets_to_llvm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(front_end, "max_shared_mem", lambda _device: 1000)

    def needing(size: int) -> Any:
        return SimpleNamespace(get_int_attr={"ttg.shared": size}.get)

    fits = needing(1000)
    with fitting(Backend()):
        assert llvm.to_module(fits, 5) == (fits, 5)
        with pytest.raises(OutOfResources):
            llvm.to_module(needing(1001), 5)
    with fitting(Backend(), then=lambda *_: "stopped"):
        assert llvm.to_module(fits, 5) == "stopped"
    assert llvm.to_module(needing(1001), 5)[1] == 5
