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


@triton.jit
def weigh(factor, MODE: tl.constexpr):
    if MODE == "square":
        weight = factor * factor
    return weight


@triton.autotune(configs=[triton.Config({"SIZE": 256}), triton.Config({"SIZE": 512})], key=["n"])
@triton.heuristics({"EVEN": lambda arguments: arguments["n"] % 16 == 0})
@triton.jit
def scale(
    x, bias, n, factor, flip,
    SIZE: tl.constexpr, EVEN: tl.constexpr, KIND: tl.constexpr, FN: tl.constexpr,
    MODE: tl.constexpr = "square",
):
    factor = weigh(factor, MODE)
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
        "FN": {"function": "square"},
        # A text that happens to be the name of a function; only a function that is called asks.
        "MODE": "square",
    }
    return {
        "kernel": "scale",
        "grid": [4],
        "options": {"num_warps": 8},
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
        "options": {},
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
    replies = [compiled(SOURCE, target, launches=[one]) for one in LAUNCHES]
    assert [reply["not_tried"] for reply in replies] == [[]] * 4
    recorded = [kernel for reply in replies for kernel in reply["kernels"]]
    assert [needs(one) for one in recorded] == [needs(one) for one in direct["kernels"]]
    launched = [name for reply in replies for name in reply["launched"]]
    assert launched == direct["launched"] == ["move", "scale", "scale", "scale"]


def test_what_the_wrapper_never_launched_is_compiled_from_the_record(compiled: Compile) -> None:
    assert compiled(SOURCE)["kernels"] == []
    reply = compiled(SOURCE, launches=LAUNCHES)
    # Without a bias the kernel computes nothing that it does not compute with one.
    assert [kernel["name"] for kernel in reply["kernels"]] == ["move", "scale"]
    assert all(kernel["ok"] for kernel in reply["kernels"])


def test_errors_of_recorded_launches_are_listed_and_the_rest_compiled(compiled: Compile) -> None:
    broken = SOURCE.replace("tl.load(bias + place,", "tl.no_such_load(bias + place,")
    reply = compiled(broken, launches=LAUNCHES)
    assert reply["raised"] is None
    assert [kernel["ok"] for kernel in reply["kernels"]] == [False, False, True, True]
    assert reply["kernels"][0]["error"]["type"] == "CompilationError"
    assert reply["launched"] == ["move", "scale"]


def test_what_cannot_be_tried_is_told_with_the_reason(compiled: Compile) -> None:
    gone = {"kernel": "gone", "grid": [1], "args": [], "options": {}}
    opaque = scaled(pointer("x", "fp16"), {"name": "bias", "kind": "none"}, 1001, flip=True)
    opaque["args"][-2]["value"] = "<function square at 0x7f0000000000>"
    lost = scaled(pointer("x", "fp16"), {"name": "bias", "kind": "none"}, 1001, flip=True)
    lost["args"][-2]["value"] = {"function": "cube"}
    odd = scaled(pointer("x", "complex64"), {"name": "bias", "kind": "none"}, 1, flip=True)
    reply = compiled(SOURCE, launches=[gone, opaque, lost, odd])
    assert reply["kernels"] == [] and reply["raised"] is None
    missing, unknown, function, dtype = reply["not_tried"]
    assert missing == "gone: no kernel of this name at module level"
    assert unknown.startswith("scale: a constant was <function")
    assert function == "scale: no function of the file is called cube"
    assert dtype == "scale: no tensor has the dtype complex64"


KINDS = """
@triton.jit
def kinds(x, n, KIND: tl.constexpr, SIZE: tl.constexpr):
    place = tl.arange(0, SIZE)
    values = tl.load(x + place, mask=place < n, other=0.0)
    if KIND == 1:
        values = tl.lod(values)
    tl.store(x + place, values * n.to(tl.float32) if KIND == 2 else values, mask=place < n)


def main():
    pass
"""


def of_kind(kind: int, *, n: int = 5, size: int = 64, **more: Any) -> dict[str, Any]:
    constants = [("KIND", kind), ("SIZE", size)]
    number = {"name": "n", "kind": "int", "value": n, "dtype": "i32"}
    return {
        "kernel": "kinds",
        "grid": [1],
        "options": {},
        "args": [
            pointer("x", "fp32"),
            number,
            *({"name": name, "kind": "constexpr", "value": value} for name, value in constants),
        ],
        **more,
    }


def errors(reply: Any) -> list[str]:
    return [kernel["error"]["message"] for kernel in reply["kernels"] if not kernel["ok"]]


def test_a_branch_of_one_constant_is_seen_beside_others(compiled: Compile) -> None:
    assert errors(compiled(KINDS, launches=[of_kind(0), of_kind(3)])) == []
    reply = compiled(KINDS, launches=[of_kind(0), of_kind(1), of_kind(3)])
    (said,) = errors(reply)
    assert "no attribute 'lod'" in said
    assert reply["refused"] == [1]
    assert [one["refused"] for one in reply["kernels"] if not one["ok"]] == [[1]]


def test_an_integer_of_one_is_specialised_as_on_a_card(compiled: Compile) -> None:
    assert errors(compiled(KINDS, launches=[of_kind(2)])) == []
    (said,) = errors(compiled(KINDS, launches=[of_kind(2), of_kind(2, n=1, front_end_only=True)]))
    assert "no attribute 'to'" in said
    general = KINDS.replace("@triton.jit", '@triton.jit(do_not_specialize=["n"])')
    assert errors(compiled(general, launches=[of_kind(2, n=1)])) == []


def test_what_only_the_front_end_sees_makes_no_machine_code(compiled: Compile) -> None:
    reply = compiled(KINDS, launches=[of_kind(0), of_kind(3, size=128, front_end_only=True)])
    assert [kernel["arguments"]["SIZE"] for kernel in reply["kernels"]] == ["64"]
    wide = of_kind(3, size=128, grid=[4])
    reply = compiled(KINDS, launches=[of_kind(0), wide, of_kind(3, size=256)])
    assert [kernel["arguments"]["SIZE"] for kernel in reply["kernels"]] == ["128"], "largest grid"


def test_an_option_that_triton_does_not_know_is_an_error_of_the_kernel(compiled: Compile) -> None:
    assert errors(compiled(KINDS, launches=[of_kind(0, options={"num_warps": 2})])) == []
    (said,) = errors(compiled(KINDS, launches=[of_kind(0, options={"num_warp": 2})]))
    assert "num_warp was specified but unrecognised" in said


PRODUCT = """
@triton.autotune(
    configs=[triton.Config({}, num_stages=8), triton.Config({}, num_stages=2)], key=["n"]
)
@triton.jit
def product(x, y, n, SIZE: tl.constexpr):
    row = tl.arange(0, SIZE)
    place = row[:, None] * SIZE + row[None, :]
    total = tl.zeros((SIZE, SIZE), tl.float32)
    for step in range(n):
        left = tl.load(x + step * SIZE * SIZE + place)
        right = tl.load(y + step * SIZE * SIZE + place)
        total += tl.dot(left, right)
    tl.store(y + place, total.to(tl.float16))


def main():
    pass
"""


def multiplied(stages: int, right: str = "fp16") -> dict[str, Any]:
    return {
        "kernel": "product",
        "grid": [1],
        "options": {"num_stages": stages},
        "args": [
            pointer("x", "fp16"),
            pointer("y", right),
            {"name": "n", "kind": "int", "value": 64, "dtype": "i32"},
            {"name": "SIZE", "kind": "constexpr", "value": 128},
        ],
    }


def test_a_configuration_that_does_not_fit_is_passed_over_unless_none_does(
    compiled: Compile,
) -> None:
    *large, fitting = compiled(PRODUCT, launches=[multiplied(8)])["kernels"]
    assert large and all((one["ok"], one["skipped"]) == (False, True) for one in large)
    assert (fitting["ok"], fitting["num_stages"]) == (True, 2)
    hopeless = PRODUCT.replace("num_stages=2", "num_stages=9")
    reply = compiled(hopeless, launches=[multiplied(8)])
    assert not any(kernel["skipped"] for kernel in reply["kernels"][:1])
    assert "out of resource: shared memory" in errors(reply)[0]


@pytest.mark.slow
def test_another_configuration_is_also_found_for_types_that_are_only_lowered(
    compiled: Compile,
) -> None:
    source = PRODUCT.replace(
        "SIZE + place)\n        total", "SIZE + place).to(tl.float16)\n        total"
    )
    launches = [multiplied(2, "bf16"), multiplied(8, "fp32")]
    first, *large, found = compiled(source, launches=launches)["kernels"]
    assert first["ok"] and large
    assert all((one["ok"], one["skipped"]) == (False, True) for one in large)
    assert (found["ok"], found["num_stages"]) == (True, 2)
    hopeless = source.replace("num_stages=2", "num_stages=9")
    assert "out of resource: shared memory" in errors(compiled(hopeless, launches=launches))[0]


def test_shared_memory_is_counted_also_where_no_machine_code_is_made(compiled: Compile) -> None:
    plain = PRODUCT.partition("@triton.jit")
    source = plain[1] + plain[2]
    assert errors(compiled(source, launches=[multiplied(2), multiplied(3)])) == []
    (said,) = errors(compiled(source, launches=[multiplied(8), multiplied(3), multiplied(2)]))
    assert "out of resource: shared memory" in said


SAME_NAME = """
def made(factor):
    @triton.jit
    def scale(x):
        tl.store(x, tl.load(x) * factor)

    return scale


FACTOR = tl.constexpr(3)
KERNELS = [made(tl.constexpr(2)), made("two")]


def main():
    pass
"""


def test_kernels_of_one_name_are_told_apart_by_what_they_captured(compiled: Compile) -> None:
    launch = {"kernel": "scale", "grid": [1], "line": 8, "args": [pointer("x", "fp32")]}
    assert errors(compiled(SAME_NAME, launches=[{**launch, "captured": {"factor": 2}}])) == []
    assert errors(compiled(SAME_NAME, launches=[{**launch, "captured": {"factor": "two"}}]))
