"""A kernel's way through Triton's compiler in steps, without machine code.

`build` is Triton's front end: from a kernel's source to its first intermediate code. That is where
a kernel's own mistakes show. `lower` is the rest of Triton: layouts, shared memory, instructions.
Behind it come LLVM and an assembler, which take most of the time.
"""

import importlib
import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any

from triton._C.libtriton import ir
from triton.backends.compiler import Language
from triton.compiler.compiler import ASTSource, make_backend, max_shared_mem
from triton.runtime.driver import driver
from triton.runtime.errors import OutOfResources

_OPERATION = re.compile(r"\b(?:tt|arith|math|scf|cf)\.[a-z_]+|(?<![A-Za-wyz%])(?:bf|f|i)\d+\b")
_BLOCK = re.compile(r"tensor<((?:\d+x)+)")


@dataclass(frozen=True)
class Built:
    """What the front end made of one specialisation."""

    module: Any
    backend: Any
    options: Any
    types: tuple[str, ...]
    """Of the pointers: a kernel for other types is other code."""

    @cached_property
    def shape(self) -> tuple[str, ...]:
        """Operations and types in their order, and options: equal where only sizes differ."""
        return self.options.hash(), *_OPERATION.findall(self._text)

    @cached_property
    def elements(self) -> int:
        """Of all blocks together: what registers and shared memory are needed for."""
        blocks = _BLOCK.findall(self._text)
        return sum(math.prod(map(int, one[:-1].split("x"))) for one in blocks)

    @cached_property
    def _text(self) -> str:
        return str(self.module)


def build(fn: Any, signature: Any, constants: Any, attributes: Any, options: Any) -> Built:
    """Run the front end for the active driver; raises what the compiler would raise."""
    source = ASTSource(fn, signature, constants, attributes)
    source.hash()  # looks at the functions and globals that the kernel uses, which may be refused
    target = driver.active.get_current_target()
    backend, context = make_backend(target), _context(target.backend)
    functions = backend.get_codegen_implementation(options)
    module = source.make_ir(target, options, functions, backend.get_module_map(), context)
    types = tuple(str(kind) for kind in signature.values() if str(kind)[:1] in "*t(")
    return Built(module, backend, options, types)


@cache
def _context(backend: str) -> Any:
    """One for all kernels of a process: to load dialects takes as long as a small kernel."""
    del backend
    context = ir.context()
    ir.load_dialects(context)
    make_backend(driver.active.get_current_target()).load_dialects(context)
    return context


def lower(built: Built) -> None:
    """Run what Triton does before it hands its code to LLVM; raises where that does not fit."""
    stages: dict[str, Any] = {}
    built.backend.add_stages(stages, built.options, Language.TRITON)
    metadata = {"target": driver.active.get_current_target(), **built.options.__dict__}
    module = built.module
    with fitting(built.backend, then=_stop), suppress(_Lowered):
        for stage in stages.values():
            module = stage(module, metadata)


class _Lowered(BaseException):
    """Triton's own passes are done."""


def _stop(*_: Any) -> None:
    raise _Lowered


@contextmanager
def fitting(backend: Any, then: Callable[..., Any] | None = None) -> Iterator[None]:
    """Inside, code that needs too much shared memory is refused before LLVM works on it.

    `then` is called in place of LLVM. A launch would refuse it as well, some minutes later: such
    code is large.
    """
    compiler: Any = importlib.import_module(type(backend).__module__)
    llvm = compiler.llvm
    go_on = then or llvm.to_module

    def to_module(module: Any, *rest: Any) -> Any:
        needed, there = module.get_int_attr("ttg.shared") or 0, max_shared_mem(0)
        if needed > there:
            raise OutOfResources(needed, there, "shared memory")
        return go_on(module, *rest)

    names = {name: getattr(llvm, name) for name in dir(llvm)}
    compiler.llvm = SimpleNamespace(**names | {"to_module": to_module})
    try:
        yield
    finally:
        compiler.llvm = llvm
