"""A kernel's way through Triton's compiler in steps.

`build` is Triton's front end: from a kernel's source to its first intermediate code. That is where
a kernel's own mistakes show. `lower` is the rest of Triton: layouts, shared memory, instructions.
Behind it come LLVM and an assembler, which take most of the time: `finish` goes all the way.
"""

import hashlib
import importlib
import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any

from triton._C.libtriton import get_cache_invalidating_env_vars, ir
from triton.backends.compiler import Language
from triton.compiler.compiler import ASTSource, make_backend, max_shared_mem
from triton.runtime.cache import get_cache_key
from triton.runtime.driver import driver
from triton.runtime.errors import OutOfResources

_WORD = re.compile(r"\b(?:tt|arith|math|scf|cf)\.[a-z_]+|(?<![A-Za-wyz_%])(?:bf|f|i)\d+\b")
_BETWEEN_FUNCTIONS = ("tt.func", "tt.call", "tt.return")
"""Calls are inlined: what a function is given is no operation."""
_ANY_TYPE = frozenset((
    "tt.load", "tt.store", "tt.addptr", "tt.splat", "tt.broadcast", "tt.expand_dims", "tt.reshape",
    "tt.trans", "arith.constant", "arith.select", "scf.for", "scf.if", "scf.while", "scf.yield",
    "arith.extf", "arith.truncf", "arith.extsi", "arith.extui", "arith.trunci", "arith.bitcast",
    "arith.sitofp", "arith.uitofp", "arith.fptosi", "arith.fptoui",
))  # fmt: skip
"""Moves and plain conversions: what an assembler that takes them for one type takes for all."""
_BLOCK = re.compile(r"tensor<((?:\d+x)+)")
_TENSOR_MEMORY = 512
"""Columns of a multiprocessor, as Triton has it for all targets."""


@dataclass(frozen=True)
class KernelIr:
    """The result of the front end for one specialisation."""

    source: Any
    module: Any
    backend: Any
    options: Any
    types: tuple[str, ...]
    """Types of the pointers: a kernel for other types is other code."""

    @cached_property
    def hash(self) -> str:
        """The key by which Triton finds the binary compiled from it."""
        variables = get_cache_invalidating_env_vars()
        key = get_cache_key(self.source, self.backend, self.options, env_vars=variables)
        return hashlib.sha256(key.encode()).hexdigest()

    @cached_property
    def operations(self) -> frozenset[str]:
        """Its operations, each with its types; sizes and repetitions left out."""
        lines = map(_WORD.findall, self._text.splitlines())
        return frozenset(" ".join(one) for one in lines if one and one[0] not in _BETWEEN_FUNCTIONS)

    @cached_property
    def computations(self) -> frozenset[str]:
        """Its operations, without types where any will do."""
        return frozenset(
            next((word for word in one.split() if word in _ANY_TYPE), one)
            for one in self.operations
        )

    @cached_property
    def elements(self) -> int:
        """Elements of all blocks together, which registers and shared memory are needed for."""
        blocks = _BLOCK.findall(self._text)
        return sum(math.prod(map(int, one[:-1].split("x"))) for one in blocks)

    @cached_property
    def _text(self) -> str:
        return str(self.module.str_nodebug())


def build(fn: Any, signature: Any, constants: Any, attributes: Any, options: Any) -> KernelIr:
    """Run the front end for the active driver; raises what the compiler would raise."""
    source = ASTSource(fn, signature, constants, attributes)
    source.hash()  # looks at the functions and globals that the kernel uses, which may be refused
    target = driver.active.get_current_target()
    backend, context = make_backend(target), _context(target.backend)
    functions = backend.get_codegen_implementation(options)
    module = source.make_ir(target, options, functions, backend.get_module_map(), context)
    types = tuple(str(kind) for kind in signature.values() if str(kind)[:1] in "*t(")
    return KernelIr(source, module, backend, options, types)


@cache
def _context(backend: str) -> Any:
    """The context, one for all kernels: to load dialects takes as long as a small kernel."""
    del backend
    context = ir.context()
    ir.load_dialects(context)
    make_backend(driver.active.get_current_target()).load_dialects(context)
    return context


def lower(built: KernelIr) -> None:
    """Run what Triton does before it hands its code to LLVM; raises where that does not fit."""
    with fitting(built.backend, then=_stop), suppress(_LoweringDone):
        _run_stages(built)


@dataclass(frozen=True)
class Code:
    """A binary and its metadata."""

    binary: bytes
    shared_bytes: int
    tensor_memory: int
    """In columns."""
    num_warps: int


def finish(built: KernelIr) -> Code:
    """Generate machine code; raises where that does not fit."""
    with fitting(built.backend):
        binary, known = _run_stages(built)
    return Code(binary, known["shared"], known.get("tmem_size") or 0, known["num_warps"])


def load(code: Code) -> int:
    """Load the binary and return registers of a thread; raises what a GPU would raise."""
    if code.tensor_memory > _TENSOR_MEMORY:
        raise OutOfResources(code.tensor_memory, _TENSOR_MEMORY, "tensor memory")
    threads = code.num_warps * driver.active.get_current_target().warp_size
    loaded = driver.active.utils.load_binary("", code.binary, code.shared_bytes, 0)
    _, _, registers, _, most = loaded
    if threads > most:
        raise OutOfResources(threads, most, "threads")
    return int(registers)


def _run_stages(built: KernelIr) -> tuple[Any, dict[str, Any]]:
    stages: dict[str, Any] = {}
    built.backend.add_stages(stages, built.options, Language.TRITON)
    metadata = {"target": driver.active.get_current_target(), **built.options.__dict__}
    module = built.module
    for stage in stages.values():
        module = stage(module, metadata)
    return module, metadata


class _LoweringDone(BaseException):
    """Triton's own passes are done."""


def _stop(*_: Any) -> None:
    raise _LoweringDone


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
