"""The reference as a program in a warm process of its own: eager, compiled by torch, or faithful.
The faithful one is not what a user would call, but may be submitted and must tie with itself.

`python -m kernelbenchx.measure.baseline DESCRIPTOR KIND DEVICE`; `load` names the task.
"""

import gc
import socket
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from kernelbenchx import catalog
from kernelbenchx.measure.evaluator_watch import exit_silently_on_interrupt
from kernelbenchx.spec.problem import Problem
from kernelbenchx.spec.task import Task
from kernelbenchx.worker.order import Arguments
from kernelbenchx.worker.timing.clocks import Bound
from kernelbenchx.worker.timing.loop import CallServer
from kernelbenchx.worker.timing.submission_program import SubmissionProgram

Function = Callable[..., Any]


class Baseline:
    """The reference of the loaded task."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._programs: dict[str, SubmissionProgram] = {}
        self._name = ""
        self._compiler = Compiler()
        self._compiled: set[str] = set()
        """Tasks for which torch compiled a kernel of its own."""
        self._refused: dict[str, str] = {}
        """Tasks that torch cannot compile, with its message."""

    def load(self, plan: dict[str, Any], binaries: bytes) -> None:  # noqa: ARG002 - same form for all
        """Load the reference of a task; it stays warm for the next time."""
        name = str(plan["task"])
        task = catalog.load(name)
        if name not in self._programs:
            self._programs[name] = self._build_entry(task)
        set_precision(task)
        self._name = name

    def prepare(self, arguments: Arguments) -> None:
        """Compile for arguments of this form, and run nothing of the compiled code.

        Compiled kernels choose their configuration by timing, in the first call: it comes when the
        GPU is idle.
        """
        with self._compiler.only_compiling():
            self.tune(arguments)

    def obstacle(self, arguments: Arguments) -> str:  # noqa: ARG002 - same form for all
        return "a reference is not replayed"

    def tune(self, arguments: Arguments) -> None:
        """The first call on arguments of this form: torch compiles in it."""
        before = self._kernels()
        try:
            self.bind(arguments)()
        except Exception as error:
            if self._kind != "compile" or self._name in self._refused:
                raise
            self._fall_back(arguments, error)
        if self._kernels() != before:
            self._compiled.add(self._name)

    def record(self, arguments: Arguments) -> tuple[dict[str, Any], bytes]:  # noqa: ARG002
        """What torch did with the reference: whether it compiled a kernel of its own for it."""
        return {"fell_back": self.fell_back, "why": self.refusal}, b""

    @property
    def fell_back(self) -> bool:
        """Whether torch compiled no kernel of its own for any form so far: only library calls
        run."""
        if self._kind != "compile":
            return False
        return bool(self.refusal) or self._name not in self._compiled

    @property
    def refusal(self) -> str:
        """Torch's message if it could not compile."""
        return self._refused.get(self._name, "")

    def bind(self, arguments: Arguments) -> Bound:
        if not self._name:
            raise RuntimeError("no task was loaded")
        return self._programs[self._name].bind(arguments)

    def release(self) -> None:
        return

    def _kernels(self) -> int:
        return kernels_compiled() if self._kind == "compile" else 0

    def _fall_back(self, arguments: Arguments, error: Exception) -> None:
        """Continue without compiling, unless the reference itself rejects these values."""
        task = catalog.load(self._name)
        plain = SubmissionProgram(task.baseline, task.form)
        plain.bind(arguments)()
        self._programs[self._name] = plain
        self._refused[self._name] = f"{type(error).__name__}: {error}"[:300]

    def _build_entry(self, task: Task) -> SubmissionProgram:
        reference = task.faithful if self._kind == "faithful" else task.baseline
        if self._kind != "compile":
            return SubmissionProgram(reference, task.form)
        _allow_many_forms()
        if task.form != "module":
            compiled = torch.compile(reference, backend=self._compiler, dynamic=False)
            return SubmissionProgram(compiled, task.form)

        def build_module(*init: Any) -> torch.nn.Module:
            module: torch.nn.Module = reference(*init)
            module.compile(backend=self._compiler, dynamic=False)
            return module

        return SubmissionProgram(build_module, task.form)


class Compiler:
    """torch's own compiler; its graphs can also be run uncompiled."""

    def __init__(self) -> None:
        self._runs_compiled = True

    def __call__(self, graph: Function, inputs: list[Any]) -> Function:
        from torch._dynamo import lookup_backend

        compiled = lookup_backend("inductor")(graph, inputs)  # type: ignore[arg-type]

        def run(*values: Any) -> Any:
            return (compiled if self._runs_compiled else graph)(*values)

        return run

    @contextmanager
    def only_compiling(self) -> Iterator[None]:
        """While this is open, nothing compiled is run."""
        self._runs_compiled = False
        try:
            yield
        finally:
            self._runs_compiled = True


def set_precision(task: Task) -> None:
    """Set how float32 is computed: in convolutions as the task declares it, in products by torch's
    default; a problem of KernelBench declares both.

    Uses torch's older switches, which also set the newer ones. The newer ones do not set the older,
    and torch then raises when its compiler reads those.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the newer ones
        wanted = isinstance(task, Problem) and task.tf32
        if torch.backends.cuda.matmul.allow_tf32 != wanted:
            torch.backends.cuda.matmul.allow_tf32 = wanted
        torch.backends.cudnn.allow_tf32 = task.tf32
        # Contracts ask for sums in float32, also where a long one is split.
        torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
        torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False


def _allow_many_forms() -> None:
    """Every timing case is a form of its own; beyond its limit torch silently stops compiling."""
    import torch._dynamo.config as limits

    for name in ("recompile_limit", "accumulated_recompile_limit", "cache_size_limit"):
        if hasattr(limits, name):
            setattr(limits, name, 1024)


def kernels_compiled() -> int:
    """Count torch's own kernels without library calls; what comes from its caches is counted again.

    If torch does not count kernels, a graph counts as one.
    """
    try:
        from torch._inductor.metrics import generated_kernel_count
    except ImportError:
        return graphs_compiled()
    return int(generated_kernel_count)


def graphs_compiled() -> int:
    """Graphs compiled by this process, for any task."""
    from torch._dynamo.utils import counters

    return int(counters["stats"].get("unique_graphs", 0))


def main() -> None:
    """Serve until the connection is closed."""
    exit_silently_on_interrupt()
    # Task files need the first, torch the second when shapes are broadcast: nothing is timed yet.
    import torch.fx.experimental.symbolic_shapes
    import triton  # noqa: F401

    torch.set_num_threads(1)
    gc.freeze()  # all of torch: looking through it between two cases takes long
    channel = socket.socket(fileno=int(sys.argv[1]))
    CallServer(channel, Baseline(sys.argv[2]), sys.argv[3]).serve()


if __name__ == "__main__":
    main()
