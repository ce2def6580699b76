"""How close a time is to the roofline of the GPU, and which times are impossible.

docs/explanation/roofline.md has the definitions.
"""

import ast
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import torch

from kernelbenchx import catalog
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.performance import Efficiency, Gpu
from kernelbenchx.measure.spec_sheets import Sheet
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.task import Task

BANDWIDTH_SLACK = 1.02
"""Clocks differ between GPUs of one model."""
UNKNOWN_BANDWIDTH_SLACK = 1.2
"""Without a data sheet: the best copy of kbx does not reach the memory's peak."""
FLOPS_SLACK = 4.0
"""A cost counts the plain algorithm. Winograd's F(4x4, 3x3) multiplies 4 times less for a 3x3
convolution; a transform of real numbers needs half; Strassen saves 1/8 for each level; a product
whose result is dropped with probability 1/2 need not be computed."""

# What may stand in for a rate without breaking any contract, and how often it must be used for one
# operation: three float16 products carry a float32 product, 28 int8 products a float64 one; float16
# keeps as many bits as TF32.
_REACHED_BY: dict[str, dict[str, float]] = {
    "fp64": {"fp64": 1, "int8": 28},
    "fp32": {"fp32": 1, "tf32": 1, "fp16": 3},
    "tf32x3": {"fp32": 1, "tf32": 1, "fp16": 3},
    "tf32": {"tf32": 1, "fp32": 1, "fp16": 1},
    "fp16": {"fp16": 1, "bf16": 1, "fp32": 1},
    "bf16": {"bf16": 1, "fp16": 1, "fp32": 1},
    "int8": {"int8": 1, "fp16": 1},
    "fp8": {"fp8": 1, "fp16": 1},
}
_MADE_OF = {"tf32x3": {"fp32": 1.0, "tf32": 3.0}}
"""Peaks that no probe measures: a float32 product by plain arithmetic, or by three TF32 products,
which are as accurate. The faster of the two is what a kernel can reach."""
_MATRIX_RATES = {
    torch.float64: "fp64",
    torch.float16: "fp16",
    torch.bfloat16: "bf16",
    torch.float8_e4m3fn: "fp8",
    torch.float8_e5m2: "fp8",
}


def rate_of(name: str, task: Task, call: Call) -> str:
    """The rate that a case's operations count against, named as in `Gpu.tflops`, or `tf32x3`.

    Products of matrices, which is where the witness of the task `name` uses the matrix units,
    count against the rate of their operands; all else is computed in float32, or in float64 where
    that is an argument's dtype.
    """
    kind = _matrix_units(name)
    if kind == "int8":
        return "int8"
    operands = [tensor for tensor in call.tensors() if tensor.dim() >= 2] or call.tensors()
    if not kind:
        return "fp64" if torch.float64 in _dtypes(call.tensors(), call) else "fp32"
    widest = max(_dtypes(operands, call), key=lambda dtype: dtype.itemsize, default=torch.float32)
    return _MATRIX_RATES.get(widest) or ("tf32" if task.tf32 else "tf32x3")


def compute_efficiency(
    cost: Cost, seconds: float, rate: str, card: Gpu, sheet: Sheet | None, *, sets: int = 1
) -> Efficiency:
    """One measured time against the GPU's measured peaks, its data sheet and its limit."""
    gb_per_s = cost.bytes / seconds / 1e9
    tflops = cost.flops / seconds / 1e12
    iou = _share(gb_per_s, card.bandwidth_gb_per_s)
    mfu = _share(tflops, _peak(rate, card.tflops))
    iou_spec = None if sheet is None else _share(gb_per_s, sheet.bandwidth_gb_per_s)
    stated = 0.0 if sheet is None else _peak(rate, sheet.tflops)
    mfu_spec = _share(tflops, stated) if stated else None
    return Efficiency(
        gb_per_s=gb_per_s,
        tflops=tflops,
        iou=iou,
        mfu=mfu,
        score=max(iou, mfu),
        iou_spec=iou_spec,
        mfu_spec=mfu_spec,
        score_spec=None if iou_spec is None else max(iou_spec, mfu_spec or 0.0),
        roofline_us=limit_us(cost, rate, card, sheet, sets=sets),
    )


def limit_us(cost: Cost, rate: str, card: Gpu, sheet: Sheet | None, *, sets: int = 1) -> float:
    """The shortest possible time on this GPU; 0 if it is not known.

    `sets` is the number of different sets of arguments, after a flush, that the time is a mean of:
    the cache can keep what was written last, once for all of them.
    """
    must_move = max(0.0, cost.bytes - card.l2_bytes / sets)
    bandwidth = 1e9 * _bandwidth(card, sheet)
    flops_per_s = 1e12 * FLOPS_SLACK * _fastest(rate, card, sheet)
    moving_s = must_move / bandwidth if bandwidth else 0.0
    computing_s = cost.flops / flops_per_s if flops_per_s else 0.0
    return 1e6 * max(moving_s, computing_s)


def explain_impossible(seconds: float, limit_us: float) -> str:
    """Why a time cannot be true; empty if it can."""
    if seconds * 1e6 >= limit_us:
        return ""
    return f"{seconds * 1e6:.4g} us where the GPU needs at least {limit_us:.4g} us"


def _peak(rate: str, peaks: Mapping[str, float]) -> float:
    """The peak of arithmetic within the contract; 0 if it is not known."""
    parts = _MADE_OF.get(rate, {rate: 1.0})
    return max(peaks.get(other, 0.0) / uses for other, uses in parts.items())


def _share(value: float, peak: float) -> float:
    return value / peak if peak else 0.0


def _bandwidth(card: Gpu, sheet: Sheet | None) -> float:
    if sheet is None:
        return UNKNOWN_BANDWIDTH_SLACK * card.bandwidth_gb_per_s
    return BANDWIDTH_SLACK * max(card.bandwidth_gb_per_s, sheet.bandwidth_gb_per_s)


def _fastest(rate: str, card: Gpu, sheet: Sheet | None) -> float:
    """The largest rate that could do the work, measured or stated."""
    known = [card.tflops] if sheet is None else [card.tflops, sheet.tflops]
    return max(
        peaks.get(other, 0.0) / uses for other, uses in _REACHED_BY[rate].items() for peaks in known
    )


def _dtypes(tensors: Iterable[torch.Tensor], call: Call) -> set[torch.dtype]:
    """Floating dtypes of tensors and of arguments that name a dtype; of complex ones the parts."""
    named = [value for value in (*call.args, *call.kwargs.values()) if _is_dtype(value)]
    found = {*(tensor.dtype for tensor in tensors), *named}
    return {dtype.to_real() for dtype in found if dtype.is_floating_point or dtype.is_complex}


def _is_dtype(value: Any) -> bool:
    return isinstance(value, torch.dtype)


@cache
def _matrix_units(name: str) -> str:
    """`float`, `int8` or nothing: what a task's witness, if there is one, uses the units for."""
    if not catalog.witness_path(name).is_file():
        return ""
    tree = ast.parse(witness_source(name))
    dots = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "tl.dot"
    ]
    integers = any(
        word.arg == "out_dtype" and ast.unparse(word.value) == "tl.int32"
        for node in dots
        for word in node.keywords
    )
    return "int8" if integers else "float" if dots else ""
