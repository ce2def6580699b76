"""Code is told apart by what it does and how large it is, and refused where it does not fit."""

from types import SimpleNamespace
from typing import Any

import pytest
from triton.runtime.errors import OutOfResources

from kernelbenchx.worker.compiler import front_end
from kernelbenchx.worker.compiler.front_end import Built, fitting

CODE = """
tt.func @k(%x: !tt.ptr<f32>) {
  %a = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %b = arith.addf %a, %a : tensor<64x32xf32>
"""
llvm = SimpleNamespace(to_module=lambda module, context: (module, context))


class Backend:
    """Has LLVM in its module, as Triton's backends do."""


def built(text: str, options: str = "") -> Built:
    return Built(text, Backend(), SimpleNamespace(hash=lambda: options), ())


def test_codes_that_differ_in_sizes_have_one_shape_and_different_sizes() -> None:
    small, large = built(CODE), built(CODE.replace("64", "128"))
    assert small.shape == large.shape
    assert (small.elements, large.elements) == (64 + 64 * 32, 128 + 128 * 32)


@pytest.mark.parametrize(
    "other", [CODE.replace("addf", "mulf"), CODE.replace("xf32", "xbf16"), CODE + "tt.return"]
)
def test_another_operation_or_type_is_another_shape(other: str) -> None:
    assert built(CODE).shape != built(other).shape
    assert built(CODE).shape != built(CODE, "num_stages=8").shape


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
