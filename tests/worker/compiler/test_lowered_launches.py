"""Which of many programs become machine code, and which are only lowered."""

from types import SimpleNamespace
from typing import Any

import pytest

from kernelbenchx.worker.compiler import lowered_launches
from kernelbenchx.worker.compiler.lowered_launches import LoweredLaunch, to_finish, to_lower


def program(
    size: int, *, kernel: str = "k", types: str = "f32", does: str = "load", **form: Any
) -> LoweredLaunch:
    built: Any = SimpleNamespace(
        types=(types,),
        elements=size,
        operations=frozenset(does.split()),
        computations=frozenset(does.split()),
        options=SimpleNamespace(hash=lambda: form.pop("options", "")),
    )
    about = {"grid": (1,), "wanted": False, "found": SimpleNamespace(fn=kernel)} | form
    attempt: Any = None
    return LoweredLaunch(SimpleNamespace(**about), attempt, built)  # type: ignore[arg-type]


def test_machine_code_is_made_of_the_largest_grid_of_each_kernel() -> None:
    small, large, other = program(64, grid=(2,)), program(128), program(64, kernel="other")
    assert to_finish([large, small, other]) == [small, other]


def test_other_types_become_machine_code_where_they_compute_something_else() -> None:
    single, same = program(64), program(64, types="f16")
    double = program(64, types="f64", does="load sqrt")
    assert to_finish([single, same]) == [single]
    assert to_finish([single, same, double]) == [double]
    half = program(64, types="f16", does="load dot")
    assert to_finish([single, half, double]) == [half, double]


def test_machine_code_is_also_made_of_what_the_wrapper_asked_for() -> None:
    small, large = program(64, grid=(2,)), program(128, wanted=True)
    assert to_finish([large, small]) == [large, small]


def test_the_largest_is_lowered_and_a_smaller_one_only_where_it_does_something_else() -> None:
    large, same, other = program(128), program(64), program(32, does="load sum")
    assert list(to_lower([same, other, large], [])) == [large, other]
    assert list(to_lower([same, large], [])) == [large]


@pytest.mark.parametrize("apart", [{"kernel": "other"}, {"types": "f16"}, {"options": "warps"}])
def test_the_largest_is_of_one_kernel_types_and_options(apart: dict[str, str]) -> None:
    large, small = program(128), program(64, **apart)
    assert list(to_lower([small, large], [])) == [large, small]


def test_what_becomes_machine_code_is_not_lowered_again() -> None:
    large, small = program(128), program(64, does="load sum")
    assert list(to_lower([small, large], [large])) == [small]
    assert list(to_lower([program(96), small, large], [small])) == [large]


def test_the_number_of_a_kernel_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lowered_launches, "_LOWERED", 2)
    three = [program(size, does=str(size)) for size in (64, 32, 16)]
    other = program(8, kernel="other")
    assert list(to_lower([*three, other], [])) == [*three[:2], other]
