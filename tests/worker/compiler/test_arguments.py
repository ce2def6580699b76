"""An argument that is made again is specialised as the first one was."""

from typing import Any

import pytest
import torch
import triton
import triton.language as tl

from kernelbenchx.worker.compiler.arguments import UnusableLaunch, value_of


@triton.jit  # type: ignore[misc, untyped-decorator]
def kernel(x, MODE: tl.constexpr, FN: tl.constexpr):  # type: ignore[no-untyped-def]
    if MODE == "kernel":
        tl.store(x, FN(x))


def value(**argument: Any) -> Any:
    return value_of({"name": "x", **argument}, [kernel])


def test_pointers_keep_type_and_alignment() -> None:
    for dtype, expected in (("bf16", torch.bfloat16), ("u1", torch.bool)):
        made = value(kind="pointer", dtype=dtype, aligned=True)
        assert made.dtype is expected and made.data_ptr() % 16 == 0
        assert value(kind="pointer", dtype=dtype, aligned=False).data_ptr() % 16
    with pytest.raises(UnusableLaunch, match="no tensor has the dtype complex64"):
        value(kind="pointer", dtype="complex64", aligned=True)


def test_numbers_none_and_tuples_are_what_they_were() -> None:
    assert value(kind="int", value=1) == 1 and value(kind="bool", value=True) is True
    assert value(kind="none") is None and value(kind="float", value="0x1.4p+1") == 2.5
    items = [{"kind": "int", "value": 3}, {"kind": "none"}]
    assert value(kind="tuple", items=items) == (3, None)
    assert value(kind="tuple", items=items, fields=["size", "bias"]).size == 3
    with pytest.raises(UnusableLaunch, match="argument x is a stream"):
        value(kind="stream")


def test_constants_are_values_types_or_functions_by_name() -> None:
    assert value(kind="constexpr", value="triton.language.float16") is tl.float16
    assert value(kind="constexpr", value="torch.float16") is torch.float16
    assert value(kind="constexpr", value="float16") == "float16"
    assert value(kind="constexpr", value=[1, "inf"]) == (1, float("inf"))
    assert value(kind="constexpr", value={"function": "kernel"}) is kernel
    assert value(kind="constexpr", value="kernel") == "kernel", "a text may be a function's name"
    with pytest.raises(UnusableLaunch, match="no function of the file is called other"):
        value(kind="constexpr", value={"function": "other"})
    with pytest.raises(UnusableLaunch, match="a constant was <Mode>"):
        value(kind="constexpr", value="<Mode>")
