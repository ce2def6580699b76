"""Compiles launches that the interpreter recorded, without running the wrapper again.

The front end sees every launch that is given. What does not ask for less also goes through Triton's
other passes: where two codes differ in sizes alone, the larger one, and of many codes of a kernel
the largest. For each kernel and its types one goes on to machine code: that with the largest grid,
and those whose needs are wanted.
"""

import hashlib
import math
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from triton.compiler.compiler import make_backend
from triton.runtime.driver import driver
from triton.runtime.errors import OutOfResources

from .arguments import UnusableLaunch, value_of
from .autotune import described
from .errors import describe
from .front_end import Built, fitting, lower
from .functions import Found, functions_in, matching
from .hooks import SKIPPED_BY_AUTOTUNE
from .output import captured
from .records import Attempt, Compilation

_LOWERED = 8
"""Codes of a kernel that go through Triton's other passes beside those that become machine code."""
_SHARE = 0.6
"""Of the time limit: what is begun later may not come to its end."""


@dataclass(frozen=True)
class _Form:
    """A launch that can be made again."""

    found: Found
    arguments: dict[str, Any]
    options: dict[str, Any]
    grid: tuple[int, ...]
    front_end_only: bool
    number: int
    """Of the launch that it was recorded from."""
    wanted: bool
    """Whether the wrapper read what its binary needs."""

    @property
    def configurations(self) -> list[Any]:
        """Of which autotune chooses."""
        return [] if self.found.tuner is None else list(self.found.tuner.configs)

    @property
    def is_tuned(self) -> bool:
        """Whether there are other configurations to choose from."""
        return len(self.configurations) > 1

    def warmup(self, **chosen: Any) -> Any:
        given, names = {**self.arguments, **self.options, **chosen}, list(self.found.fn.arg_names)
        # A kernel may call a parameter of its own `grid`: it is given by position then.
        taken = [names.index(name) + 1 for name in ("grid", "warmup") if name in names]
        leading = [given.pop(name) for name in names[: max(taken, default=0)]]
        return self.found.fn.warmup(*leading, **given, grid=self.grid)


@dataclass(frozen=True)
class _Program:
    """A form behind the front end."""

    form: _Form
    attempt: Attempt
    built: Built

    @property
    def kind(self) -> tuple[Any, ...]:
        """Kernel and types."""
        return id(self.form.found.fn), self.built.types

    @property
    def shape(self) -> tuple[Any, ...]:
        """Kernel and code without sizes."""
        return id(self.form.found.fn), self.built.shape


def _elements(program: _Program) -> int:
    return program.built.elements


def _worth(program: _Program) -> tuple[int, int]:
    """Of making machine code of it: many programs do the work, and small blocks take less time."""
    return math.prod(program.form.grid), -program.built.elements


@dataclass
class Recorded:
    """What became of recorded launches, beside the records of the compilation."""

    untried: list[str] = field(default_factory=list)
    """Kernels that could not be tried, each with the reason: those that cannot be found, and those
    whose arguments cannot be made again."""
    left_out: int = 0
    """Launches for which no time was left."""
    binaries: list[dict[str, int]] = field(default_factory=list)
    """Registers and shared memory of launches of which they were wanted, by `number`."""
    refused: list[int] = field(default_factory=list)
    """Numbers of launches that do not compile."""


def compile_recorded(
    namespace: dict[str, Any], launches: list[dict[str, Any]], compilation: Compilation
) -> Recorded:
    """Compile recorded launches for the active driver; errors are records, never raised."""
    result, clock = Recorded(), _Clock()
    functions = functions_in(namespace, compilation.functions)
    programs = []
    for form in _forms(functions, launches, result.untried):
        if clock.is_over():
            result.left_out += 1
            continue
        compilation.form = form.number
        program = _built(form, compilation, result.refused)
        if program is not None and not form.front_end_only:
            programs.append(program)
    chosen = {program.kind: program for program in sorted(programs, key=_worth)}
    lowered = set(map(id, _largest(programs)))
    for program in programs:
        whole = program is chosen[program.kind] or program.form.wanted
        if not whole and id(program) not in lowered:
            continue
        compilation.form = program.form.number
        if clock.is_over():
            result.left_out += 1
        elif not (
            _make_code(program, compilation, result.binaries)
            if whole
            else _lower(program, compilation)
        ):
            result.refused.append(program.form.number)
    compilation.form = None
    return result


def _largest(programs: list[_Program]) -> Iterator[_Program]:
    """Of each code without its sizes the largest program, and of each kernel a few of these."""
    by_kernel: dict[int, dict[Any, _Program]] = {}
    for program in sorted(programs, key=_elements):
        by_kernel.setdefault(id(program.form.found.fn), {})[program.shape] = program
    for found in by_kernel.values():
        yield from sorted(found.values(), key=_elements)[-_LOWERED:]


def _forms(
    functions: list[Found], launches: list[dict[str, Any]], untried: list[str]
) -> Iterator[_Form]:
    known = [one.fn for one in functions]
    for number, launch in enumerate(launches):
        try:
            found = matching(functions, launch)
            if found is None:
                raise UnusableLaunch("no kernel of this name at module level")
            arguments = {argument["name"]: value_of(argument, known) for argument in launch["args"]}
            options = dict(launch.get("options") or {})
            cheap = bool(launch.get("front_end_only"))
            wanted, grid = bool(launch.get("needs_wanted")), tuple(launch["grid"])
            yield _Form(found, arguments, options, grid, cheap, number, wanted)
        except UnusableLaunch as reason:
            untried.append(f"{launch['kernel']}: {reason}")
        except (LookupError, TypeError, ValueError, AttributeError, AssertionError) as error:
            untried.append(f"{launch['kernel']}: no launch: {type(error).__name__}: {error}")


def _built(form: _Form, compilation: Compilation, refused: list[int]) -> _Program | None:
    """What the front end makes of it; None where it was refused, or is known."""
    compilation.built, raised = [], list[Exception]()
    try:
        with _noted(form, compilation, raised):
            form.warmup()
        if any(not (form.is_tuned and isinstance(one, SKIPPED_BY_AUTOTUNE)) for one in raised):
            refused.append(form.number)
        return next((_Program(form, *one) for one in compilation.built), None)
    finally:
        compilation.built = None


def _lower(program: _Program, compilation: Compilation) -> bool:
    """Up to assembly, False where it fails; a configuration that does not fit is left to autotune,
    which is no failure."""
    fn, started = program.form.found.fn, time.monotonic()
    with captured() as output:
        try:
            lower(program.built)
        except Exception as error:  # noqa: BLE001 - the passes raise anything
            skipped = program.form.is_tuned and isinstance(error, SKIPPED_BY_AUTOTUNE)
            compilation.failed(
                program.attempt,
                describe(error, fn, output.text()),
                skipped=skipped,
                took_s=time.monotonic() - started,
            )
            return skipped
    return True


def _make_code(program: _Program, compilation: Compilation, binaries: list[dict[str, int]]) -> bool:
    """Machine code, False where there is none; autotune passes over configurations that do not
    fit, unless none does.

    What the binary needs is added to `binaries` where the wrapper read it.
    """
    form, made = program.form, list[Any]()
    compilation.ready = program.built
    with compilation.configured(lambda: None, trying=form.is_tuned):
        error = _make_one(form, compilation, made)
    binaries += [_needs(form, kernel) for kernel in made if form.wanted]
    if form.is_tuned and isinstance(error, SKIPPED_BY_AUTOTUNE):
        for config in form.configurations:
            with compilation.configured(partial(described, config), trying=True):
                error = _make_one(form, compilation, [], **config.all_kwargs())
            if error is None:
                break
        else:
            compilation.not_skipped(form.found.fn.__name__)
    if error is None:
        compilation.launched.append(form.found.fn.__name__)
    return error is None


def _needs(form: _Form, kernel: Any) -> dict[str, int]:
    shared, registers = int(kernel.metadata.shared), int(kernel.n_regs)
    return {"number": form.number, "registers": registers, "shared_bytes": shared}


def _make_one(
    form: _Form, compilation: Compilation, made: list[Any], **chosen: Any
) -> Exception | None:
    """What was raised, if anything; the kernel is added to `made`."""
    raised: list[Exception] = []
    with _noted(form, compilation, raised):
        with fitting(make_backend(driver.active.get_current_target())):
            kernel = form.warmup(**chosen)
        kernel._init_handles()
        made.append(kernel)
        x, y, z = (*form.grid, 1, 1)[:3]
        with compilation.configured(lambda: None, trying=True):
            compilation.launch(form.found.fn.__name__, kernel.hash, (x, y, z))
    return next(iter(raised), None)


@contextmanager
def _noted(
    form: _Form, compilation: Compilation, raised: list[Exception] | None = None
) -> Iterator[None]:
    """A record of whatever is raised inside, also before the compiler gets to see it."""
    fn = form.found.fn
    try:
        yield
    except Exception as error:  # noqa: BLE001 - Triton raises anything
        if raised is not None:
            raised.append(error)
        if not isinstance(error, OutOfResources) and not compilation.has_noted(error):
            said = describe(error, fn)
            identity = hashlib.sha256(repr((fn.__name__, fn.src, said)).encode()).hexdigest()
            attempt = Attempt(fn.__name__, identity, num_warps=None, num_stages=None)
            compilation.failed(attempt, said, skipped=False, took_s=0.0)


class _Clock:
    """Knows when most of this process's CPU time is over."""

    def __init__(self) -> None:
        limit, _ = resource.getrlimit(resource.RLIMIT_CPU)
        self._limit = float("inf") if limit == resource.RLIM_INFINITY else limit * _SHARE

    def is_over(self) -> bool:
        assembler = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = time.process_time() + assembler.ru_utime + assembler.ru_stime
        return used > self._limit
