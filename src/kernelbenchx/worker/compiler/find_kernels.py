"""Finds the kernel of a recorded launch in a process that loaded the same source."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from triton.runtime.autotuner import Autotuner
from triton.runtime.jit import JITFunction


class FoundKernel(NamedTuple):
    """A kernel, and the autotuner that chooses its configurations, if any."""

    fn: Any
    tuner: Any | None


def functions_in(namespace: dict[str, Any], seen: Iterable[Any] = ()) -> list[FoundKernel]:
    """The kernels of a module, then others that the compiler has `seen`."""
    found = {
        id(one.fn): one for one in (_unwrap_kernel(value) for value in seen) if one is not None
    }
    found |= {
        id(one.fn): one for one in map(_unwrap_kernel, _reachable(namespace)) if one is not None
    }
    return list(found.values())


def matching(functions: Iterable[FoundKernel], launch: dict[str, Any]) -> FoundKernel | None:
    """The kernel of a launch: by name, and where several have it, by line and captured values."""
    named = [one for one in functions if one.fn.__name__ == launch["kernel"]]
    line, captured = launch.get("line"), launch.get("captured")
    return max(
        named,
        key=lambda one: (
            one.fn.fn.__code__.co_firstlineno == line,
            sum(_read_closure(one.fn.fn).get(n) == value for n, value in (captured or {}).items()),
        ),
        default=None,
    )


def _read_closure(function: Any) -> dict[str, Any]:
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {name: cell.cell_contents for name, cell in cells}


def _unwrap_kernel(value: Any) -> FoundKernel | None:
    """The function inside autotune and heuristics, which hold it in `fn`."""
    inner, tuner = value, None
    while not isinstance(inner, JITFunction) and hasattr(inner, "fn"):
        tuner = inner if isinstance(inner, Autotuner) else tuner
        inner = inner.fn
    return FoundKernel(inner, tuner) if isinstance(inner, JITFunction) else None


def _reachable(namespace: dict[str, Any]) -> Iterator[Any]:
    """The values of a module, then those in its classes and containers."""
    values = list(namespace.values())
    yield from values
    for value in values:
        if isinstance(value, type):
            yield from vars(value).values()
        elif isinstance(value, dict) and value is not namespace:
            yield from value.values()
        elif isinstance(value, list | tuple):
            yield from value
