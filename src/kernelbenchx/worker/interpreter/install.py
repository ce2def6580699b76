"""Prepares a process for interpreting; done once, before workers are forked from it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .errors import Unsupported
from .watch import Watch

if TYPE_CHECKING:
    from .builder import Builder

__all__ = ["install", "watching"]

_TESTED = ("3.6.", "3.7.")


def install() -> None:
    """Replace Triton's interpreter in this process by the repaired one; again is harmless."""
    if os.environ.get("TRITON_INTERPRET") != "1":
        raise Unsupported("TRITON_INTERPRET=1 must be in the environment before triton is imported")
    import triton

    if not triton.__version__.startswith(_TESTED):
        raise Unsupported(f"triton {triton.__version__} is not tested: install 3.6.x or 3.7.x")
    from triton.runtime import interpreter as stock

    from .builder import Builder

    if isinstance(stock.interpreter_builder, Builder):
        return
    _check_mode()
    _install()


def _check_mode() -> None:
    import triton.language as tl
    from triton.runtime.interpreter import InterpretedFunction

    if not isinstance(tl.standard._sum_combine, InterpretedFunction):
        raise Unsupported("triton was imported before TRITON_INTERPRET=1 was set")


def _install() -> None:
    from triton.runtime import driver
    from triton.runtime import interpreter as stock
    from triton.runtime.jit import mangle_type

    from .autotune import patch_tuning
    from .blocks import patch_types
    from .builder import Builder
    from .driver import Driver
    from .dtypes import numpy_dtype
    from .handles import Handle
    from .kernel import patch_kernels
    from .language import patch_language
    from .semantic import Semantic

    # Parts of Triton's interpreter that stay in use look these names up in its module.
    stock.TensorHandle = Handle
    stock._get_np_dtype = numpy_dtype
    patch_types()
    builder = Builder()
    semantic = Semantic(builder)
    stock.interpreter_builder = builder
    stock.interpreter_semantic = semantic
    patch_language(semantic)
    patch_kernels(builder)
    patch_tuning(builder)
    driver.set_active(Driver())
    # Triton loads dozens of modules with the first argument it describes: here, not in every child.
    mangle_type(0)


def _builder() -> Builder:
    from triton.runtime import interpreter as stock

    from .builder import Builder

    builder = stock.interpreter_builder
    if not isinstance(builder, Builder):
        raise Unsupported("install() comes before watching()")
    return builder


@contextmanager
def watching(seed: int) -> Iterator[Watch]:
    """Watch every launch inside; the seed fixes program order and tuning."""
    builder = _builder()
    outer, builder.watch = builder.watch, Watch(seed)
    try:
        yield builder.watch
    finally:
        builder.watch = outer
