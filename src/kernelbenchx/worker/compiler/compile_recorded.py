"""Compiles launches that the interpreter recorded, without running the wrapper again.

The front end sees every launch that is given. What does not ask for less also goes through Triton's
other passes: of each kernel, types and options the largest, and what does anything else. As many of
each kernel go on to machine code as together compute all that it computes with any types, and those
whose needs are wanted.
"""

import hashlib
import resource
import time
from collections.abc import Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from triton.runtime.errors import OutOfResources

from .arguments import UnusableLaunch, value_of
from .autotune import describe_config
from .compilation_record import Compilation, KernelSpecialisation
from .errors import describe
from .find_kernels import FoundKernel, functions_in, matching
from .front_end import finish, load, lower
from .hooks import SKIPPED_BY_AUTOTUNE
from .lowered_launches import LoweredLaunch, RepeatableLaunch, to_finish, to_lower
from .output import capture_output
from .visits import visiting

_SHARE = 0.6
"""Share of the time limit: what begins later may not finish."""


@dataclass
class RecordedOutcome:
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
    differences: list[dict[str, Any]] = field(default_factory=list)
    """Where the interpreter ran another body than the compiler saw: kernel, line, sentence."""


def compile_recorded(
    namespace: dict[str, Any], launches: list[dict[str, Any]], compilation: Compilation
) -> RecordedOutcome:
    """Compile recorded launches for the active driver; errors are records, never raised."""
    result, clock = RecordedOutcome(), _CpuBudget()
    functions = functions_in(namespace, compilation.functions)
    programs = []
    for form in _forms(functions, launches, result.untried):
        if clock.is_over():
            result.left_out += 1
            continue
        compilation.form = form.number
        program = _run_front_end(form, compilation, result)
        if program is not None and not form.front_end_only:
            programs.append(program)
    finished = to_finish(programs)
    whole, lowered = set(map(id, finished)), set(map(id, to_lower(programs, finished)))
    settled = {program.kind for program in finished}
    for program in programs:
        if id(program) not in whole | lowered:
            continue
        compilation.form = program.form.number
        if clock.is_over():
            result.left_out += 1
        elif not (
            _make_code(program, compilation, result.binaries)
            if id(program) in whole
            else _lower(program, compilation, settled)
        ):
            result.refused.append(program.form.number)
    compilation.form = None
    return result


def _forms(
    functions: list[FoundKernel], launches: list[dict[str, Any]], untried: list[str]
) -> Iterator[RepeatableLaunch]:
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
            ran = launch.get("ran") or {}
            yield RepeatableLaunch(found, arguments, options, grid, cheap, number, wanted, ran)
        except UnusableLaunch as reason:
            untried.append(f"{launch['kernel']}: {reason}")
        except (LookupError, TypeError, ValueError, AttributeError, AssertionError) as error:
            untried.append(f"{launch['kernel']}: no launch: {type(error).__name__}: {error}")


def _run_front_end(
    form: RepeatableLaunch, compilation: Compilation, result: RecordedOutcome
) -> LoweredLaunch | None:
    """The result of the front end; None where it refused the launch."""
    compilation.built, raised = [], list[Exception]()
    for binaries, *_ in form.found.fn.device_caches.values():
        binaries.clear()  # what a wrapper has compiled here was not compared
    try:
        with _note_errors(form, compilation, raised), visiting(form.ran) as visits:
            form.warmup()
        if any(not (form.is_tuned and isinstance(one, SKIPPED_BY_AUTOTUNE)) for one in raised):
            result.refused.append(form.number)
        if not raised:
            kernel = form.found.fn.__name__
            result.differences += [
                {"kernel": kernel, "line": line, "why": why} for line, why in visits.differences()
            ]
        return next((LoweredLaunch(form, *one) for one in compilation.built), None)
    finally:
        compilation.built = None


def _lower(
    program: LoweredLaunch, compilation: Compilation, settled: Container[tuple[Any, ...]]
) -> bool:
    """Lower up to assembly; False where it fails.

    Autotune passes over a configuration that does not fit. Another one is looked for here, unless
    machine code is generated for these types anyway (`settled`).
    """
    form, started = program.form, time.monotonic()
    with capture_output() as output:
        try:
            lower(program.built)
        except Exception as error:  # noqa: BLE001 - the passes raise anything
            skipped = form.is_tuned and isinstance(error, SKIPPED_BY_AUTOTUNE)
            compilation.note_failed(
                program.attempt,
                describe(error, form.found.fn, output.text()),
                skipped=skipped,
                took_s=time.monotonic() - started,
            )
        else:
            return True
    return skipped and (program.kind in settled or _make_another(form, compilation) is None)


def _make_code(
    program: LoweredLaunch, compilation: Compilation, binaries: list[dict[str, int]]
) -> bool:
    """Generate machine code; False where it fails.

    Autotune passes over configurations that do not fit, unless none does. What the binary needs is
    added to `binaries` where the wrapper read it.
    """
    form = program.form
    with compilation.attribute_to(lambda: None, trying=form.is_tuned):
        error = _finish(program, compilation, binaries)
    if form.is_tuned and isinstance(error, SKIPPED_BY_AUTOTUNE):
        error = _make_another(form, compilation)
    if error is None:
        compilation.launched.append(form.found.fn.__name__)
    return error is None


def _make_another(form: RepeatableLaunch, compilation: Compilation) -> Exception | None:
    """Generate machine code of the first configuration that fits; the error where none does."""
    error: Exception | None = None
    for config in form.configurations:
        with compilation.attribute_to(partial(describe_config, config), trying=True):
            error = _make_configuration(form, config, compilation)
        if error is None:
            return None
    compilation.not_skipped(form.found.fn.__name__)
    return error


def _make_configuration(
    form: RepeatableLaunch, config: Any, compilation: Compilation
) -> Exception | None:
    """Generate machine code of one configuration; the error, if any."""
    compilation.built, raised = [], list[Exception]()
    try:
        with _note_errors(form, compilation, raised):
            form.warmup(**config.all_kwargs())
        made = compilation.built
    finally:
        compilation.built = None
    return raised[0] if raised else _finish(LoweredLaunch(form, *made[0]), compilation, [])


def _finish(
    program: LoweredLaunch, compilation: Compilation, binaries: list[dict[str, int]]
) -> Exception | None:
    """Generate machine code and read what it needs; the error, if any."""
    form, attempt, fn = program.form, program.attempt, program.form.found.fn
    started = time.monotonic()
    with capture_output() as output:
        try:
            code = finish(program.built)
            found = replace(attempt, identity=program.built.hash, num_warps=code.num_warps)
            took_s = time.monotonic() - started
            compilation.note_compiled(
                found, binary=code.binary, shared_bytes=code.shared_bytes, took_s=took_s
            )
            attempt = found
            registers = load(code)
        except Exception as error:  # noqa: BLE001 - the passes raise anything
            compilation.failures[id(fn), attempt.identity] = fn, error.with_traceback(None)
            skipped = compilation.trying and isinstance(error, SKIPPED_BY_AUTOTUNE)
            said = describe(error, fn, output.text())
            took_s = time.monotonic() - started
            compilation.note_failed(attempt, said, skipped=skipped, took_s=took_s)
            return error
    if form.wanted:
        needs = {"registers": registers, "shared_bytes": code.shared_bytes}
        binaries.append({"number": form.number, **needs})
    x, y, z = (*form.grid, 1, 1)[:3]
    with compilation.attribute_to(lambda: None, trying=True):
        compilation.launch(fn.__name__, attempt.identity, (x, y, z))
    return None


@contextmanager
def _note_errors(
    form: RepeatableLaunch, compilation: Compilation, raised: list[Exception] | None = None
) -> Iterator[None]:
    """Record whatever is raised inside, also before the compiler runs."""
    fn = form.found.fn
    try:
        yield
    except Exception as error:  # noqa: BLE001 - Triton raises anything
        if raised is not None:
            raised.append(error)
        if not isinstance(error, OutOfResources) and not compilation.has_noted(error):
            said = describe(error, fn)
            identity = hashlib.sha256(repr((fn.__name__, fn.src, said)).encode()).hexdigest()
            attempt = KernelSpecialisation(fn.__name__, identity, num_warps=None, num_stages=None)
            compilation.note_failed(attempt, said, skipped=False, took_s=0.0)


class _CpuBudget:
    """Knows when most of this process's CPU time is over."""

    def __init__(self) -> None:
        limit, _ = resource.getrlimit(resource.RLIMIT_CPU)
        self._limit = float("inf") if limit == resource.RLIM_INFINITY else limit * _SHARE

    def is_over(self) -> bool:
        assembler = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = time.process_time() + assembler.ru_utime + assembler.ru_stime
        return used > self._limit
