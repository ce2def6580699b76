"""Wrong modules made from a right one: one operation of its `forward` answers something else."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

from kernelbenchx.spec.call import Call
from kernelbenchx.spec.forward_interceptor import ForwardInterceptor, name_of
from kernelbenchx.spec.graph_changes import changes_of
from kernelbenchx.spec.modules import run_module
from kernelbenchx.spec.operation import Change

_SILENT = ("native_", "_")
"""Prefixes of operations that say nothing to a reader."""


@dataclass(frozen=True)
class GraphMutant:
    """A module with one wrong operation. It has the weights and the sizes of the right one."""

    operation: str
    number: int
    """Counted among the operations of that name, from 1."""
    change: Change

    @property
    def name(self) -> str:
        """As `relu 2 dropped`."""
        return f"{self.operation} {self.number} {self.change.words}"

    @contextmanager
    def mode(self) -> Iterator[None]:
        """Modules that are called under it answer wrongly; building them is left alone."""
        with composed_rnn(), _MutatingMode(self):
            yield


def mutants_of(
    model: Callable[..., Any], call: Call, most: int | None = None
) -> tuple[GraphMutant, ...]:
    """Every wrong module that one change to the graph makes; `most` picks some of them evenly."""
    recorder = _Recorder()
    with composed_rnn(), recorder:
        run_module(model, call.copy())
    found = recorder.found
    if most is None or len(found) <= most:
        return tuple(found)
    return tuple(found[position * len(found) // most] for position in range(most))


@contextmanager
def composed_rnn() -> Iterator[None]:
    """Without oneDNN, whose recurrent layers are one operation in which nothing can be seen."""
    before = torch._C._get_mkldnn_enabled()  # type: ignore[attr-defined]
    torch._C._set_mkldnn_enabled(False)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        torch._C._set_mkldnn_enabled(before)  # type: ignore[attr-defined]


class _CountingMode(ForwardInterceptor):  # type: ignore[no-untyped-call]
    """Knows which operation of its name each one is."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: Counter[str] = Counter()

    def count_operation(self, func: Any) -> tuple[str, int]:
        name = name_of(func).removesuffix("_")
        for prefix in _SILENT:
            name = name.removeprefix(prefix)
        self._seen[name] += 1
        return name, self._seen[name]


class _Recorder(_CountingMode):  # type: ignore[no-untyped-call]
    def __init__(self) -> None:
        super().__init__()
        self.found: list[GraphMutant] = []

    def answer(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        name, number = self.count_operation(func)
        result = func(*args, **kwargs)
        for change in changes_of(func, args, kwargs, result):
            self.found.append(GraphMutant(name, number, change))
        return result


class _MutatingMode(_CountingMode):  # type: ignore[no-untyped-call]
    def __init__(self, mutant: GraphMutant) -> None:
        super().__init__()
        self._place = (mutant.operation, mutant.number)
        self._change = mutant.change

    def answer(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self.count_operation(func) != self._place:
            return func(*args, **kwargs)
        return self._change.run(func, args, kwargs)
