"""Makes `triton.language` executable, once for the life of the process.

Triton patches its language before each call of each function and takes the patches back after
each launch, which is most of what a small kernel costs. A process that only interprets has no
need of the original.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import triton.language as tl
import triton.language.extra.cuda as cuda_extra
import triton.language.extra.cuda.libdevice as cuda_libdevice
import triton.language.extra.libdevice as plain_libdevice

from .errors import AmbiguousTruth, line_of_kernel
from .intrinsics import intrinsics
from .map_elementwise import map_elementwise
from .operators import patch_operators
from .reductions import Reductions
from .semantic import Semantic

__all__ = ["patch_language"]

_CUDA_EXTRA = "triton.language.extra.cuda"


def patch_language(semantic: Semantic) -> None:
    """Bind every builtin of the language to the interpreter."""
    owners: tuple[Any, ...] = (tl, tl.core, tl.math, tl.tensor, tl.core.tensor_descriptor_base)
    bound: dict[Any, Callable[..., Any]] = {}
    for owner in (*owners, cuda_libdevice):
        for name, member in inspect.getmembers(owner):
            if tl.core.is_builtin(member):
                known = bound.setdefault(member, _bind(member, semantic))
                setattr(owner, name, known)
    for name in vars(plain_libdevice):
        if not name.startswith("_") and hasattr(cuda_libdevice, name):
            setattr(plain_libdevice, name, getattr(cuda_libdevice, name))
    _patch_intrinsics(semantic)
    _patch_tensor()
    patch_operators(semantic)
    for module in (tl, tl.core):
        _patch_module(module, semantic)
    tl.dtype.to_ir = _to_ir


def _bind(member: Callable[..., Any], semantic: Semantic) -> Callable[..., Any]:
    @functools.wraps(member)
    def call(*args: Any, **kwargs: Any) -> Any:
        kwargs["_semantic"] = semantic
        return member(*args, **kwargs)

    # A bound function is no builtin any more: binding twice would hide it twice.
    call.__dict__.pop(tl.core.TRITON_BUILTIN, None)
    return call


def _patch_intrinsics(semantic: Semantic) -> None:
    known = intrinsics(semantic)
    # Triton loads this package twice: what `import` and what `from` find are two modules.
    loaded = [m for name, m in sys.modules.items() if name.startswith(_CUDA_EXTRA)]
    for owner in (cuda_extra, *loaded):
        for name in known.keys() & vars(owner).keys():
            setattr(owner, name, known[name])


def _patch_module(module: ModuleType, semantic: Semantic) -> None:
    reductions = Reductions()
    replacements: dict[str, Any] = {
        "reduce": reductions.reduce,
        "associative_scan": reductions.scan,
        "map_elementwise": map_elementwise,
        "range": _keyword_range(semantic.counting),
        "static_range": _keyword_range(range),
        "static_assert": _static_assert,
        "static_print": _static_print,
        "multiple_of": functools.partial(_hint, name="tt.divisibility"),
        "max_contiguous": functools.partial(_hint, name="tt.contiguity"),
        "max_constancy": functools.partial(_hint, name="tt.constancy"),
    }
    for name, value in replacements.items():
        setattr(module, name, value)


def _keyword_range(make: Callable[..., Any]) -> Callable[..., Any]:
    def new_range(arg1: Any, arg2: Any = None, step: Any = 1, **_options: Any) -> Any:
        start, end = (0, arg1) if arg2 is None else (arg1, arg2)
        return make(start, end, 1 if step is None else step)

    return new_range


def _static_assert(condition: Any, message: str = "", **_: Any) -> None:
    if not condition:
        raise AssertionError(f"static_assert failed: {message}")


def _static_print(*_values: Any, **_options: Any) -> None:
    """Print nothing: the compiler prints this, not a device, and its output is not read here."""


def _hint(value: Any, values: Any, name: str, **_: Any) -> Any:
    if not isinstance(value, tl.tensor):
        return value
    hints = values if isinstance(values, list | tuple) else [values]
    plain = [h.value if isinstance(h, tl.constexpr) else h for h in hints]
    if len(plain) != max(1, len(value.shape)):
        raise ValueError(f"{name}: {len(plain)} hints for {len(value.shape)} dimensions")
    value.handle.set_attr(name, plain)
    return value


def _index(self: Any) -> int:
    return int(self.handle.data.reshape(-1)[0])


def _truth(self: Any) -> bool:
    data = self.handle.data
    if data.size != 1:
        raise AmbiguousTruth(
            f"line {line_of_kernel()}: a block of {data.size} values cannot be a condition: "
            "use tl.where, or reduce it to one value"
        )
    return bool(data.reshape(-1)[0])


def _transpose(self: Any) -> Any:
    shape = [*self.type.shape]
    shape[-1], shape[-2] = shape[-2], shape[-1]
    handle = self.handle.rearrange(np.swapaxes(self.handle.data, -1, -2))
    return tl.core.tensor(handle, tl.core.block_type(self.dtype, shape))


def _patch_tensor() -> None:
    tensor = tl.tensor
    tensor.__index__ = _index
    tensor.__bool__ = _truth
    tensor.__repr__ = lambda self: repr(self.handle.data)
    tensor.__str__ = lambda self: str(self.handle.data)
    tensor.T = property(_transpose)


def _to_ir(self: Any, _builder: Any) -> Any:
    """A type itself: there is no IR, and numpy needs to know the sign of integers."""
    return self
