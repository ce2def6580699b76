"""Operators of tensors come to what Triton's own rules make of their operands."""

import operator
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import torch
import triton
import triton.language as tl
from triton.runtime import interpreter as stock

_OPERATORS: dict[Callable[[Any, Any], Any], str] = {
    operator.add: "add",
    operator.sub: "sub",
    operator.mul: "mul",
    operator.truediv: "truediv",
    operator.lt: "less_than",
    operator.le: "less_equal",
    operator.gt: "greater_than",
    operator.ge: "greater_equal",
    operator.eq: "equal",
    operator.ne: "not_equal",
    operator.and_: "and_",
    operator.or_: "or_",
}
_SANITIZED = ("add", "sub", "mul")
_COMPARING = [name for name in _OPERATORS.values() if "than" in name or "equal" in name]
_TYPES = (tl.float64, tl.float32, tl.float16, tl.bfloat16, tl.int64, tl.int32, tl.int8, tl.uint32)


def _outcome(make: Callable[[], Any]) -> Any:
    try:
        made = make()
    except Exception as error:  # noqa: BLE001 - both ways must refuse alike
        return type(error).__name__
    values = np.array(made.handle.data, dtype=float)
    return str(made.type), made.handle.data.dtype, str(values.tolist())


@triton.jit
def every_kernel(x, check: tl.constexpr, SIZE: tl.constexpr):
    row, column = tl.arange(0, SIZE)[:, None] - 1, tl.arange(0, SIZE)[None, :]
    check(row, column, tl.program_id(0) + 1, x)


def _check(row: Any, column: Any, number: Any, pointer: Any) -> None:
    semantic = stock.interpreter_semantic
    operands: list[Any] = [one.to(kind) for one in (row, number) for kind in _TYPES]
    operands += [row > 0, 2, -1.5, 0.1, True, 2**40]
    others = [column.to(tl.float32), column, number, *operands]
    for operate, name in _OPERATORS.items():
        sanitize = {"sanitize_overflow": True} if name in _SANITIZED else {}
        long_way = getattr(semantic, name)
        for lhs, rhs in product(operands, others):
            if not isinstance(lhs, tl.tensor) and not isinstance(rhs, tl.tensor):
                continue
            swapped = not isinstance(lhs, tl.tensor) and name not in (*_SANITIZED, "truediv")
            if swapped:
                continue  # Python asks the right operand for the mirrored comparison
            short = _outcome(lambda o=operate, a=lhs, b=rhs: o(a, b))
            if name in _COMPARING:
                rhs = semantic.to_tensor(rhs)
            whole = _outcome(lambda w=long_way, a=lhs, b=rhs, s=sanitize: w(a, b, **s))
            assert short == whole, (name, str(lhs), str(rhs), short, whole)
    moved = [pointer + row, pointer + column, pointer + number, (pointer + row) + column]
    again = [
        semantic.add(pointer, row, False),
        semantic.add(pointer, column, False),
        semantic.add(pointer, number, False),
        semantic.add(semantic.add(pointer, row, False), column, False),
    ]
    for short, whole in zip(moved, again, strict=True):
        assert short.type == whole.type and (short.handle.data == whole.handle.data).all()
        assert short.handle.origin is whole.handle.origin


def probe_operators_come_to_the_same_by_the_short_way_and_the_long_one() -> None:
    every_kernel[(1,)](torch.zeros(64), _check, 4)
