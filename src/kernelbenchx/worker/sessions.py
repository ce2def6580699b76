"""The three ways a call is run: interpreted, on a driver without a GPU, on a GPU."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from types import ModuleType
from typing import Any, Protocol

import torch

from .data_flow import DataFlow
from .tracing import poison, zero

Fill = Callable[[torch.Tensor], None]

FEW_QUEUES = {"CUDA_DEVICE_MAX_CONNECTIONS": "1"}
"""Hardware queues that a process gets on a GPU: the driver creates them process by process.

That is most of what a start takes. Every call is waited for as a whole before its result is read,
so it does not matter whether streams run beside each other. Where times are taken it does, unless
all work is in one stream. benchmarks/card_contexts.py prints what it saves.
"""


class Session(Protocol):
    """What each way of running offers to the loop over calls."""

    fill: Fill
    """Fills fresh memory."""
    flow: DataFlow
    """What crosses between the host and the memory of kernels."""

    def begin(self, *, ablate: bool, order: str, zeros: bool) -> None:
        """Begin a new call; `ablate` makes launches do nothing.

        `zeros`: in lanes that a load leaves undefined, where there is a choice.
        """
        ...

    def trace(self) -> dict[str, Any]:
        """What the call launched and did."""
        ...

    def needs_reordering(self) -> bool:
        """Whether the call must be repeated in another program order."""
        ...

    def usable(self) -> bool:
        """Whether further calls can be made after one that failed."""
        ...

    def finish(self, submission: ModuleType, header: dict[str, Any]) -> dict[str, Any]:
        """What to report after all calls."""
        ...


class _InterpretedSession:
    fill: Fill = staticmethod(poison)

    def __init__(self, watch: Any) -> None:
        self._watch = watch
        self.flow = watch.memory = DataFlow()

    def begin(self, *, ablate: bool, order: str, zeros: bool) -> None:
        self._watch.begin_call(order=order, ablate=ablate, zeros=zeros)

    def trace(self) -> dict[str, Any]:
        self.flow.note_numbers([launch["grid"] for launch in self._watch.launches])
        return {
            "launches": self._watch.launches,
            "races": self._watch.races,
            "failures": self._watch.failures,
            "bytes_loaded": self._watch.bytes_loaded,
            "bytes_stored": self._watch.bytes_stored,
            "undefined_loads": [
                {"kernel": kernel, "line": line}
                for kernel, line in sorted(self._watch.undefined_loads)
            ],
            "flags": sorted(self._watch.flags),
            "guessed": sorted(self._watch.guessed),
        }

    def needs_reordering(self) -> bool:
        # Atomics order programs as they ran; that the answer is right must not depend on it.
        return bool(self._watch.races or self._watch.ordered_by_atomics)

    def usable(self) -> bool:
        return True

    def finish(self, submission: ModuleType, header: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        return {}


class _CompileOnlySession:
    fill: Fill = staticmethod(zero)

    def __init__(self, compilation: Any) -> None:
        self._compilation = compilation
        self.flow = DataFlow()

    def begin(self, *, ablate: bool, order: str, zeros: bool) -> None:  # noqa: ARG002 - nothing runs
        return

    def trace(self) -> dict[str, Any]:
        return {}

    def needs_reordering(self) -> bool:
        return False

    def usable(self) -> bool:
        return True

    def finish(self, submission: ModuleType, header: dict[str, Any]) -> dict[str, Any]:
        """Compile what the interpreter saw launched.

        With all configurations calls were made here, and only what they missed is left: host code
        that looks at values sees zeros here and may launch less than it would.
        """
        from .cross_compile import compile_recorded

        launches = header["launches"]
        if header.get("all_configurations"):
            seen = set(self._compilation.launched)
            launches = [launch for launch in launches if launch["kernel"] not in seen]
        recorded = compile_recorded(vars(submission), launches, self._compilation)
        return {
            "kernels": self._compilation.kernels,
            "untried": recorded.untried,
            "left_out": recorded.left_out,
            "binaries": recorded.binaries,
            "refused": recorded.refused,
            "differences": recorded.differences,
        }


class _GpuSession:
    fill: Fill = staticmethod(poison)

    def __init__(self, launches: Any) -> None:
        self._launches = launches
        self.flow = launches.memory = DataFlow()

    def begin(self, *, ablate: bool, order: str, zeros: bool) -> None:  # noqa: ARG002 - it decides
        self._launches.begin(ablate=ablate)

    def trace(self) -> dict[str, Any]:
        torch.cuda.synchronize()
        return {"launches": list(self._launches.seen), "failures": list(self._launches.failures)}

    def needs_reordering(self) -> bool:
        return False

    def usable(self) -> bool:
        """False after errors such as an illegal address, which stay for the rest of the process."""
        try:
            torch.cuda.synchronize()
        except Exception:  # noqa: BLE001 - torch has several names for it
            return False
        return True

    def finish(self, submission: ModuleType, header: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        return {}


@contextmanager
def interpreting(header: dict[str, Any]) -> Iterator[Session]:
    """Use Triton's interpreter, repaired and watched; tensors claim to be where a GPU has them."""
    from .devices import redirect_cuda
    from .interpreter import install, watching
    from .interpreter.binary_needs import known_needs

    install()
    with redirect_cuda(tracked=True), watching(int(header["seed"])) as watch:
        watch.needs = known_needs(header.get("binaries") or ())
        yield _InterpretedSession(watch)


@contextmanager
def compiling(header: dict[str, Any]) -> Iterator[Session]:
    """Compile every launch for the named target and execute nothing."""
    from .cross_compile import install
    from .devices import redirect_cuda

    compilation = install(
        str(header["target"]),
        all_configurations=bool(header.get("all_configurations")),
        seed=int(header["seed"]),
    )
    with redirect_cuda():
        yield _CompileOnlySession(compilation)


@contextmanager
def on_gpu(header: dict[str, Any]) -> Iterator[Session]:
    """Use the real device; launches are counted on their way to it.

    Nothing is timed here, so launches may take a way that needs no C compiler, unless the order
    asks for Triton's own.
    """
    from .ctypes_launcher import without_modules
    from .gpu_autotune import drawing_configurations
    from .launch_counter import counting_launches

    os.environ.update(FEW_QUEUES)
    plain = header.get("launcher") == "triton"
    with (
        nullcontext() if plain else without_modules(),
        drawing_configurations(int(header["seed"])),
        counting_launches() as launches,
    ):
        yield _GpuSession(launches)


SESSIONS = {"interpret": interpreting, "compile": compiling, "cuda": on_gpu}
