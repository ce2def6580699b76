"""Precisions of KernelBench problems: `level2/softmax:bf16` is `level2/softmax` in bfloat16.

The plain name is float32. Results under different names are never pooled.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from kernelbenchx.core.errors import BadInput

if TYPE_CHECKING:
    from kernelbenchx.catalog.facts import Facts
    from kernelbenchx.spec.problem import Precision

PLAIN: "Precision" = "fp32"
PRECISIONS: Mapping["Precision", str] = MappingProxyType(
    {"fp32": "float32", "tf32": "float32", "fp16": "float16", "bf16": "bfloat16"}
)
"""With the dtype of inputs and weights."""


def split(name: str) -> tuple[str, "Precision"]:
    """The plain name of a task, and the precision that it is named with."""
    plain, _, suffix = name.partition(":")
    for known in PRECISIONS:
        if known == (suffix or PLAIN):
            return plain, known
    raise BadInput(f"{name}: no precision {suffix!r}; choose one of {', '.join(PRECISIONS)}")


def plain_name(name: str) -> str:
    """The name without its precision."""
    return name.partition(":")[0]


def join_precision(plain: str, precision: "Precision") -> str:
    """The name of a problem in a precision."""
    return plain if precision == PLAIN else f"{plain}:{precision}"


def at_precision(known: "Facts", precision: "Precision") -> "Facts":
    """Facts of a problem in another precision, as `Problem.at` changes it."""
    assert known.problem is not None
    dtype = PRECISIONS[precision]
    options = dict(known.contract.options)
    if precision == "tf32":
        options["tf32"] = "True"
    if dtype != "float32":
        options["compute"] = f"torch.{dtype}"
    problem = msgspec.structs.replace(known.problem, precision=precision)
    if (call := problem.published) is not None:
        inputs = tuple(re.sub(rf"\b{PRECISIONS[PLAIN]}\b", dtype, one) for one in call.inputs)
        problem = msgspec.structs.replace(
            problem, published=msgspec.structs.replace(call, inputs=inputs)
        )
    return msgspec.structs.replace(
        known,
        name=join_precision(known.name, precision),
        dtypes=(dtype,),
        contract=msgspec.structs.replace(known.contract, options=options),
        problem=problem,
    )
