"""A recorded launch is compiled exactly as the wrapper's own launch would have been."""

from collections.abc import Callable
from typing import Any

import pytest

Compile = Callable[..., Any]

SOURCE = """
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def square(x):
    return x * x


@triton.autotune(configs=[triton.Config({"SIZE": 256}), triton.Config({"SIZE": 512})], key=["n"])
@triton.heuristics({"EVEN": lambda arguments: arguments["n"] % 16 == 0})
@triton.jit
def scale(
    x, bias, n, factor, flip,
    SIZE: tl.constexpr, EVEN: tl.constexpr, KIND: tl.constexpr, FN: tl.constexpr,
    MODE: tl.constexpr = "square",
):
    if MODE == "square":
        factor = factor * factor
    place = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    values = tl.load(x + place, mask=place < n).to(KIND)
    if bias is not None:
        values += tl.load(bias + place, mask=place < n)
    if flip:
        values = -values
    tl.store(x + place, FN(values) * factor, mask=place < n)


@triton.jit
def move(source, target):
    target.store([0, 0], source.load([16, 0]) + 1)


def main():
    x = torch.zeros(4096, dtype=torch.float16)
    n = torch.zeros(1).item()
    if n:
        scale[(4,)](x, None, 1001, 2.5, True, KIND=tl.float32, FN=square)
"""

DIRECT = """

def main():
    x = torch.zeros(4096, dtype=torch.float16)
    blocks = TensorDescriptor.from_tensor(torch.zeros(64, 64), [16, 32])
    move[(1,)](blocks, blocks)
    bias = torch.zeros(4096)
    scale.fn.fn[(4,)](
        x, None, 1001, 2.5, True, SIZE=256, EVEN=False, KIND=tl.float32, FN=square, num_warps=8
    )
    scale.fn.fn[(4,)](
        x[1:], bias, 1008, 2.5, False, SIZE=256, EVEN=True, KIND=tl.float32, FN=square, num_warps=8
    )
    scale.fn.fn[(4,)](
        x, bias[1:], 1, 2.5, False, SIZE=256, EVEN=True, KIND=tl.float32, FN=square, num_warps=8
    )
"""


def pointer(name: str, dtype: str, *, aligned: bool = True) -> dict[str, Any]:
    return {"name": name, "kind": "pointer", "dtype": dtype, "aligned": aligned}


def scaled(x: dict[str, Any], bias: dict[str, Any], n: int, *, flip: bool) -> dict[str, Any]:
    constants = {
        "SIZE": 256,
        "EVEN": n % 16 == 0 or n == 1,
        "KIND": "triton.language.float32",
        "FN": "square",
        # A text that happens to be the name of a function.
        "MODE": "square",
    }
    return {
        "kernel": "scale",
        "grid": [4],
        "num_warps": 8,
        "num_stages": None,
        "args": [
            x,
            bias,
            {"name": "n", "kind": "int", "value": n},
            {"name": "factor", "kind": "float", "value": "0x1.4p+1"},
            {"name": "flip", "kind": "bool", "value": flip},
            *(
                {"name": name, "kind": "constexpr", "value": value}
                for name, value in constants.items()
            ),
        ],
    }


BLOCKS = {
    "kind": "descriptor",
    "dtype": "fp32",
    "shape": [64, 64],
    "strides": [64, 1],
    "block_shape": [16, 32],
}

LAUNCHES: list[dict[str, Any]] = [
    {
        "kernel": "move",
        "grid": [1, 1, 1],
        "args": [{"name": "source", **BLOCKS}, {"name": "target", **BLOCKS}],
        "num_warps": 4,
        "num_stages": None,
    },
    scaled(pointer("x", "fp16"), {"name": "bias", "kind": "none"}, 1001, flip=True),
    scaled(pointer("x", "fp16", aligned=False), pointer("bias", "fp32"), 1008, flip=False),
    scaled(pointer("x", "fp16"), pointer("bias", "fp32", aligned=False), 1, flip=False),
]


def needs(kernel: dict[str, Any]) -> dict[str, Any]:
    return {name: kernel[name] for name in kernel if name not in ("seconds", "configuration")}


@pytest.mark.parametrize("target", ["sm_90", "gfx942"])
def test_a_recorded_launch_needs_what_the_direct_one_needs(compiled: Compile, target: str) -> None:
    direct = compiled(SOURCE + DIRECT, target)
    assert direct["raised"] is None
    recorded = compiled(SOURCE, target, launches=LAUNCHES)
    assert recorded["raised"] is None and recorded["not_tried"] == []
    assert [needs(one) for one in recorded["kernels"]] == [needs(one) for one in direct["kernels"]]
    assert len(recorded["kernels"]) == 4
    assert recorded["launched"] == direct["launched"] == ["move", "scale", "scale", "scale"]


def test_what_the_wrapper_never_launched_is_compiled_from_the_record(compiled: Compile) -> None:
    assert compiled(SOURCE)["kernels"] == []
    assert [kernel["name"] for kernel in compiled(SOURCE, launches=LAUNCHES)["kernels"]] == [
        "move",
        "scale",
        "scale",
        "scale",
    ]


def test_errors_of_recorded_launches_are_listed_and_the_rest_compiled(compiled: Compile) -> None:
    broken = SOURCE.replace("tl.load(bias + place,", "tl.no_such_load(bias + place,")
    reply = compiled(broken, launches=LAUNCHES)
    assert reply["raised"] is None
    assert [kernel["ok"] for kernel in reply["kernels"]] == [True, True, False, False]
    assert reply["kernels"][2]["error"]["type"] == "CompilationError"
    assert reply["launched"] == ["move", "scale"]


def test_what_cannot_be_tried_is_told_with_the_reason(compiled: Compile) -> None:
    gone = {"kernel": "gone", "grid": [1], "args": [], "num_warps": 4, "num_stages": 3}
    opaque = scaled(pointer("x", "fp16"), {"name": "bias", "kind": "none"}, 1001, flip=True)
    opaque["args"][-2]["value"] = "<function square at 0x7f0000000000>"
    odd = scaled(pointer("x", "complex64"), {"name": "bias", "kind": "none"}, 1, flip=True)
    reply = compiled(SOURCE, launches=[gone, opaque, odd])
    assert reply["kernels"] == [] and reply["raised"] is None
    missing, unknown, dtype = reply["not_tried"]
    assert missing == "gone: no kernel of this name at module level"
    assert unknown.startswith("scale: a constant was <function")
    assert dtype == "scale: no tensor has the dtype complex64"
