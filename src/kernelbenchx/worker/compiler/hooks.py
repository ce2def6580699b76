"""Watches Triton compile and load kernels, for the driver without a GPU only."""

import functools
import hashlib
import time
from collections.abc import Callable
from typing import Any

from triton.compiler.compiler import CompiledKernel
from triton.compiler.errors import CompileTimeAssertionFailure
from triton.runtime.driver import driver
from triton.runtime.errors import OutOfResources, PTXASError
from triton.runtime.jit import JITCallable, JITFunction

from ..body_marks import number_nodes
from .compilation_record import Compilation, KernelSpecialisation
from .driver import CompileOnlyDriver
from .errors import describe
from .front_end import build
from .output import capture_output

_GIVEN = ("signature", "device", "constexprs", "options", "attrs")
"""What Triton hands its compiler, in order."""
_LONGEST_ARGUMENT = 100
_TREES: dict[str, Any] = {}
"""Syntax trees by their source."""
SKIPPED_BY_AUTOTUNE = (OutOfResources, CompileTimeAssertionFailure, PTXASError)


def wrap(owner: Any, name: str, watcher: Callable[..., Any]) -> None:
    """Put `watcher(compilation, original, *args)` around a method, once.

    It sleeps while another driver is active.
    """
    original = getattr(owner, name)
    if hasattr(original, "watched_by"):
        return

    @functools.wraps(original)
    def call_watcher(*args: Any, **kwargs: Any) -> Any:
        active = driver.active
        if not isinstance(active, CompileOnlyDriver):
            return original(*args, **kwargs)
        return watcher(active.compilation, original, *args, **kwargs)

    call_watcher.watched_by = watcher  # type: ignore[attr-defined]
    setattr(owner, name, call_watcher)


def watch_compiler() -> None:
    """Watch every specialisation being compiled and every binary being loaded."""
    wrap(JITFunction, "_do_compile", _compile)
    wrap(JITCallable, "parse", _parse)
    wrap(CompiledKernel, "_init_handles", _load)


def _compile(
    compilation: Compilation,
    original: Callable[..., Any],
    fn: Any,
    key: str,
    *rest: Any,
    **named: Any,
) -> Any:
    given = dict(zip(_GIVEN, rest, strict=False)) | named
    options = given["options"]
    attempt = KernelSpecialisation(
        name=fn.__name__,
        # The source and not the object: a kernel created in each call is still the same kernel.
        identity=_digest(fn.src, fn.starting_line_number, key),
        num_warps=options.num_warps,
        num_stages=options.num_stages,
        arguments=_arguments(given["signature"], given["constexprs"], given["attrs"]),
    )
    compilation.functions.append(fn)
    known = compilation.failures.get((id(fn), attempt.identity))
    started = time.monotonic()
    with capture_output() as output:
        try:
            if known is not None:
                raise known[1]
            if compilation.built is not None:
                places = ("signature", "constexprs", "attrs", "options")
                made = build(fn, *(given[name] for name in places))
                compilation.built.append((attempt, made))
                return None
            kernel = original(fn, key, *rest, **named)
        except Exception as error:
            compilation.failures[id(fn), attempt.identity] = fn, error.with_traceback(None)
            compilation.note_failed(
                attempt,
                describe(error, fn, output.text()),
                skipped=compilation.trying and isinstance(error, SKIPPED_BY_AUTOTUNE),
                took_s=time.monotonic() - started,
            )
            raise
    # A kernel that is compiled in the background is seen when it is loaded.
    if isinstance(kernel, CompiledKernel):
        _note(compilation, kernel, took_s=time.monotonic() - started)
    return kernel


def _parse(compilation: Compilation, original: Callable[..., Any], fn: Any) -> Any:
    """A syntax tree that the front end reads for every call of a function and never writes."""
    del compilation
    if fn.src not in _TREES:
        _TREES[fn.src] = original(fn)
        number_nodes(_TREES[fn.src].body[0])
    return _TREES[fn.src]


def _load(compilation: Compilation, original: Callable[..., Any], kernel: Any) -> None:
    if kernel.module is None:
        _note(compilation, kernel, took_s=0.0)
    try:
        original(kernel)
    except OutOfResources as error:
        fn = getattr(kernel.src, "fn", None)
        compilation.note_failed(
            _attempt(kernel), describe(error, fn), skipped=compilation.trying, took_s=0.0
        )
        raise


def _note(compilation: Compilation, kernel: Any, *, took_s: float) -> None:
    compilation.note_compiled(
        _attempt(kernel),
        binary=kernel.kernel,
        shared_bytes=kernel.metadata.shared,
        took_s=took_s,
    )


def _attempt(kernel: Any) -> KernelSpecialisation:
    return KernelSpecialisation(
        name=kernel.src.fn.__name__ if hasattr(kernel.src, "fn") else kernel.name,
        identity=kernel.hash,
        num_warps=kernel.metadata.num_warps,
        num_stages=getattr(kernel.metadata, "num_stages", None),
        arguments=_arguments(kernel.src.signature, kernel.src.constants, kernel.src.attrs)
        if hasattr(kernel.src, "constants")
        else {},
    )


def _arguments(signature: Any, constants: Any, attributes: Any) -> dict[str, str]:
    """By name: `*fp16`, `i32:16` where it is a multiple of 16, or the value of a constant."""
    found = {}
    for place, (name, kind) in enumerate(signature.items()):
        multiple = dict(attributes.get((place,), ())).get("tt.divisibility")
        said = f"{kind}:{multiple}" if multiple else str(kind)
        if (place,) in constants:
            value = constants[place,]
            said = str(getattr(value, "__name__", value))
        found[str(name)] = said[:_LONGEST_ARGUMENT]
    return found


def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()
