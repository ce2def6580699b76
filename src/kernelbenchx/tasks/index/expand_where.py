"""Where cond is True the expanded input, elsewhere other: torch.where(cond, expanded, other).

expanded is input broadcast to target_sizes, a tuple: its last input.dim() entries stand for the
dimensions of input, and further ones in front add dimensions. An entry is the size itself (a
dimension of size 1 is repeated) or -1, which keeps the size that input has there. Then cond (bool),
expanded and other (a tensor) are broadcast against each other, so that the result may be larger
than target_sizes. Values are moved bit for bit, or converted to the dtype of the result. What is
not chosen has no influence: NaN and infinities there do not leak.
"""

import torch

from kernelbenchx.spec import Mutant, Promise, case
from kernelbenchx.spec.families.expand_where import choosing
from kernelbenchx.spec.families.mistakes import first_elements_only
from kernelbenchx.spec.families.standard_promises import may_be_empty


def expand_where(
    input: torch.Tensor, target_sizes: tuple[int, ...], cond: torch.Tensor, other: torch.Tensor
) -> torch.Tensor:
    return torch.where(cond, input.expand(target_sizes), other)


def _blend_by_products(input, target_sizes, cond, other):
    x, y = input.expand(target_sizes), other
    if not (x.is_floating_point() and y.is_floating_point()):
        return torch.where(cond, x, y)
    share = cond.to(torch.result_type(x, y))
    return x * share + y * (1 - share)


def _never_larger(input, target_sizes, cond, other):
    right = expand_where(input, target_sizes, cond, other)
    return right[(0,) * (right.dim() - len(target_sizes))].clone()


def _dtype_of_input(input, target_sizes, cond, other):
    return expand_where(input, target_sizes, cond, other).to(input.dtype)


def _ones_for_minus_one(input, target_sizes, cond, other):
    front = len(target_sizes) - input.dim()
    sizes = [1 if size == -1 else size for size in target_sizes]
    x = input
    for d, size in enumerate(sizes[front:]):
        x = x.narrow(d, 0, min(size, x.size(d)))
    return torch.where(cond, x.expand(sizes), other)


TASK = choosing(
    expand_where,
    strides="All tensors may have any strides.",
    other_dtypes=(torch.float64, torch.int64, torch.bool),
    dtype_text="input and other are floats of 16, 32 or 64 bits, int64 or bool.",
    corners=(
        {"shape": "matrix"},
        {"shape": "matrix", "cond": "column", "other": "row", "dtype": "bfloat16"},
        {"shape": "four dimensions", "source": "fewer dimensions", "cond": "more dimensions"},
        {"shape": "matrix", "target": "minus one", "other": "0-d", "dtype": "float16"},
        {"shape": "matrix", "source": "as target", "layout": "transposed", "values": "special"},
        {"shape": "matrix", "dtype": "float16", "other_dtype": "float32"},
        {"shape": "matrix", "cond_layout": "transposed", "other_layout": "transposed"},
        {"shape": "0-d", "source": "as target"},
        {"shape": "empty"},
    ),
    promises=(
        Promise(
            "The result has the dtype torch.result_type(expanded, other).",
            "other_dtype",
            ("float32", "int64"),
            Mutant("dtype of input", _dtype_of_input, ("other",)),
        ),
        may_be_empty(expand_where, "Tensors may be 0-d or empty.", "shape", "0-d", "empty"),
    ),
    timings=case(shape=(8192, 8192), source=(1, 8192), cond=(8192, 1), dtype=torch.float32)
    + case(shape=(8192, 16384), source=(16384,), dtype=torch.bfloat16)
    + case(shape=(4099, 5003), source=(4099, 1), dtype=torch.float32),
    mutants=(
        Mutant("cond inverted", lambda x, s, c, y: expand_where(x, s, ~c, y), ("cond",)),
        Mutant("blended by products", _blend_by_products, ("input", "other")),
        Mutant("never larger than target_sizes", _never_larger, ("target_sizes",)),
        Mutant("-1 taken for 1", _ones_for_minus_one, ("target_sizes",)),
        first_elements_only(expand_where),
    ),
    difficulty=3,
)
