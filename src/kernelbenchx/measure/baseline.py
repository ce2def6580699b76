"""The reference as a program: eager, or compiled by torch, in a warm process of its own.

`python -m kernelbenchx.measure.baseline DESCRIPTOR KIND DEVICE`; it is told the task with `load`.
"""

import socket
import sys
from collections.abc import Callable
from typing import Any

import torch

from kernelbenchx import catalog
from kernelbenchx.worker.order import Arguments
from kernelbenchx.worker.timing.clocks import Bound
from kernelbenchx.worker.timing.entry import Entry
from kernelbenchx.worker.timing.loop import Runner

KINDS = ("eager", "compile")


class Baseline:
    """The reference of whatever task is loaded."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._programs: dict[str, Entry] = {}
        self._name = ""
        self._compiled: set[str] = set()
        """Tasks for which torch compiled anything."""

    def load(self, plan: dict[str, Any], binaries: bytes) -> None:  # noqa: ARG002 - same form for all
        """Take the reference of a task; it stays warm for the next time."""
        name = str(plan["task"])
        if name not in self._programs:
            task = catalog.load(name)
            self._programs[name] = Entry(_made(task.reference, self._kind), task.form)
        self._name = name

    def prepare(self, arguments: Arguments) -> None:
        self.tune(arguments)

    def obstacle(self, arguments: Arguments) -> str:  # noqa: ARG002 - same form for all
        return "a reference is not replayed"

    def tune(self, arguments: Arguments) -> None:
        """The first call on arguments of this form: torch compiles in it."""
        call = self.bind(arguments)
        before = self._graphs()
        call()
        if self._graphs() > before:
            self._compiled.add(self._name)

    def record(self, arguments: Arguments) -> tuple[dict[str, Any], bytes]:  # noqa: ARG002
        """What torch did with the reference: whether anything of it was compiled at all."""
        return {"fell_back": self._kind == "compile" and self._name not in self._compiled}, b""

    def bind(self, arguments: Arguments) -> Bound:
        if not self._name:
            raise RuntimeError("no task was loaded")
        return self._programs[self._name].bind(arguments)

    def release(self) -> None:
        return

    def _graphs(self) -> int:
        return graphs_compiled() if self._kind == "compile" else 0


def _made(reference: Callable[..., Any], kind: str) -> Callable[..., Any]:
    if kind == "eager":
        return reference
    _allow_many_forms()
    compiled: Callable[..., Any] = torch.compile(reference, dynamic=False)
    return compiled


def _allow_many_forms() -> None:
    """Every timing case is a form of its own; beyond its limit torch silently stops compiling."""
    import torch._dynamo.config as limits

    for name in ("recompile_limit", "accumulated_recompile_limit", "cache_size_limit"):
        if hasattr(limits, name):
            setattr(limits, name, 1024)


def graphs_compiled() -> int:
    """By this process, whatever they were for."""
    from torch._dynamo.utils import counters

    return int(counters["stats"].get("unique_graphs", 0))


def main() -> None:
    """Serve until the other side hangs up."""
    import triton  # noqa: F401 - task files need it: loaded while nobody waits

    torch.set_num_threads(1)
    channel = socket.socket(fileno=int(sys.argv[1]))
    Runner(channel, Baseline(sys.argv[2]), sys.argv[3]).serve()


if __name__ == "__main__":
    main()
