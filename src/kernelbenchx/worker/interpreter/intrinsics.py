"""What `triton.language.extra.cuda` reads of the hardware, without assembly.

Triton writes these as inline assembly. Their meaning does not need a device: launches run one after
the other, so that a kernel never has to wait for the one before it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import triton.language as tl

from .driver import PROPERTIES
from .handles import scalar
from .semantic import Semantic

__all__ = ["intrinsics"]


def intrinsics(semantic: Semantic) -> dict[str, Callable[..., Any]]:
    """Replacements by name, for the launch that is running."""
    builder = semantic.builder

    def smid(**_: Any) -> Any:
        """Multiprocessor of the program: any number that a device could give."""
        number = (builder.launch.program - 1) % PROPERTIES["multiprocessor_count"]
        return _number(number, tl.int32, np.dtype(np.int32))

    def globaltimer(**_: Any) -> Any:
        """Nanoseconds of a clock that never runs backwards."""
        return _number(time.perf_counter_ns(), tl.int64, np.dtype(np.int64))

    def num_warps(**_: Any) -> Any:
        return tl.constexpr(builder.launch.num_warps)

    def num_threads(**_: Any) -> Any:
        return tl.constexpr(builder.launch.num_warps * PROPERTIES["warpSize"])

    return {
        "gdc_wait": _do_nothing,
        "gdc_launch_dependents": _do_nothing,
        "smid": smid,
        "globaltimer": globaltimer,
        "num_warps": num_warps,
        "num_threads": num_threads,
    }


def _do_nothing(**_: Any) -> None:
    """Do nothing: launches run in order here anyway."""


def _number(value: int, kind: Any, dtype: np.dtype[Any]) -> Any:
    return tl.tensor(scalar(value, dtype, kind), kind)
