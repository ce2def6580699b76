"""Turns what the compiler raised into a short message with a place in the submission's file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from triton.compiler.errors import CompilationError
from triton.runtime.errors import PTXASError
from triton.runtime.jit import JITCallable

MESSAGE_CAP = 4096
"""Characters of a message; longer ones end in an ellipsis."""


@dataclass(frozen=True)
class _SourcePosition:
    line: int
    column: int | None
    """1 is the first column."""


def describe(error: BaseException, fn: Any | None, printed: str = "") -> dict[str, Any]:
    """An error in a launch of `fn` as JSON: type, message, line and column (None where unknown)."""
    if isinstance(error, CompilationError):
        place, message = _in_frontend(error, fn)
    else:
        place, message = _in_passes(error, fn, printed)
    if place is None and fn is not None:
        place = _SourcePosition(line=_definition_line(fn), column=None)
    return {
        "type": type(error).__name__,
        "message": truncate(message),
        "line": place.line if place else None,
        "column": place.column if place else None,
    }


def truncate(message: str) -> str:
    """Cut a text to at most MESSAGE_CAP characters."""
    message = message.strip()
    return message if len(message) <= MESSAGE_CAP else message[: MESSAGE_CAP - 1] + "…"


def _in_frontend(error: CompilationError, fn: Any | None) -> tuple[_SourcePosition | None, str]:
    """The innermost place inside the submission: an error in `tl.sum` is shown at its call."""
    chain = list(_chain(error))
    functions = {} if fn is None else {known.src: known for known in _same_file(fn)}
    places = (
        _absolute(functions[inner.src], inner.node)
        for inner in reversed(chain)
        if isinstance(inner, CompilationError)
        and inner.src in functions
        and hasattr(inner.node, "lineno")
    )
    return next(places, None), _innermost_message(chain)


def _chain(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    while current is not None:
        yield current
        current = current.__cause__


def _innermost_message(chain: list[BaseException]) -> str:
    for inner in reversed(chain):
        if isinstance(inner, CompilationError):
            if inner.error_message:
                return str(inner.error_message)
        elif str(inner):
            return f"{type(inner).__name__}: {inner}" if len(chain) == 1 else str(inner)
    return type(chain[-1]).__name__


def _same_file(fn: Any) -> Iterator[Any]:
    """`fn` and the jitted functions of the same file that it could have called."""
    yield fn
    path = fn.fn.__code__.co_filename
    for value in list(fn.get_capture_scope().values()):
        # Autotune and heuristics wrap functions; only bare ones can be called from a kernel.
        if (
            isinstance(value, JITCallable)
            and value is not fn
            and value.fn.__code__.co_filename == path
        ):
            yield value


def _absolute(fn: Any, node: Any) -> _SourcePosition:
    """A line in the file; Triton counts from the `def`, with its indentation taken away."""
    definition = fn.raw_src[_definition_offset(fn)]
    indentation = len(definition) - len(definition.lstrip())
    return _SourcePosition(
        line=_definition_line(fn) + node.lineno - 1, column=node.col_offset + indentation + 1
    )


def _definition_offset(fn: Any) -> int:
    """Lines of decorators before the `def`."""
    starts = (at for at, line in enumerate(fn.raw_src) if re.match(r"\s*def\s", line))
    return next(starts, 0)


def _definition_line(fn: Any) -> int:
    return int(fn.starting_line_number) + _definition_offset(fn)


def _in_passes(
    error: BaseException, fn: Any | None, printed: str
) -> tuple[_SourcePosition | None, str]:
    """Place and reason printed by the passes: `file:line:column: error: ...`."""
    if isinstance(error, PTXASError):
        return None, str(error).partition("Repro command:")[0]
    if fn is not None:
        path = re.escape(fn.fn.__code__.co_filename)
        found = re.search(rf"^.*{path}\W+(\d+):(\d+).*?error: (.*)$", printed, re.MULTILINE)
        if found:
            # Triton hands columns to the passes counted from 0, without the indentation.
            place = _SourcePosition(line=int(found[1]), column=int(found[2]) + 1)
            return place, f"{error}: {found[3]}"
    first = re.search(r"error: .*", printed)
    return None, f"{error}: {first[0]}" if first else str(error) or type(error).__name__
