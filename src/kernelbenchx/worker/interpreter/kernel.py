"""Runs the programs of a launch one by one, in an order that no kernel may rely on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from triton.runtime import interpreter as stock

from .. import host_tensors, progress
from .arguments import Signature
from .binary_needs import Needs, key_of
from .builder import Builder
from .compiled_kernel import CompiledKernel
from .errors import NotTriton, Waiting
from .launch import Grid, Launch
from .launch_description import describe_argument, describe_launch
from .rewriting import marks_by_function, rewrite
from .spin_detection import Snapshot, SpinCounter, may_wait

__all__ = ["Kernel", "kernel_of", "patch_kernels"]

_SEEN_BY_A_COMPILER = (AttributeError, NameError)
_LARGEST_GRID = (2**31 - 1, 65535, 65535)


class Kernel:
    """A kernel ready to run: rewritten, with its signature read."""

    def __init__(self, interpreted: Any) -> None:
        self.name: str = interpreted.fn.__name__
        self.source = interpreted.fn
        self.function = rewrite(interpreted.fn, stock.interpreter_semantic)
        self.signature = Signature(interpreted)
        self.may_wait = may_wait(interpreted)

    def launch(
        self, builder: Builder, args: Sequence[Any], grid: Any, kwargs: dict[str, Any]
    ) -> Launch:
        """Record a launch and run it, unless launches are ablated."""
        values, options = self.signature.bind(self.name, args, kwargs)
        size = _size(grid(values) if callable(grid) else grid)
        launch = Launch(self.name, size, builder.watch)
        launch.num_warps = int(options.get("num_warps", launch.num_warps))
        # Wrappers may run while tensors pretend to lie on a device; here they lie in memory.
        with torch._C.DisableTorchFunction(), np.errstate(all="ignore"):
            described = self._describe(launch.grid, values, options)
            launch.watch.launches.append(described)
            with _track_launch(launch, values):
                if not builder.watch.ablate:
                    described["ran"] = self._run(builder, launch, values)
        return launch

    def compile(
        self, builder: Builder, args: Sequence[Any], kwargs: dict[str, Any]
    ) -> CompiledKernel:
        """The binary that a compiler would give for these arguments, to be launched later."""
        values, options = self.signature.bind(self.name, args, kwargs)
        fixed = {name: values[name] for name in self.names if name in self.signature.constexprs}

        def launch(grid: Any, given: dict[str, Any]) -> None:
            builder.last_launch = self.launch(builder, (), grid, given)

        def needs() -> Needs:
            with torch._C.DisableTorchFunction():
                described = self._describe((1, 1, 1), values, options)
            return builder.watch.needs_of(self.name, key_of(described))

        return CompiledKernel(self.name, self.names, {**options, **fixed}, launch, needs)

    @property
    def names(self) -> list[str]:
        """Names of its parameters."""
        return self.signature.names

    def _describe(
        self, grid: Grid, values: dict[str, Any], options: dict[str, Any]
    ) -> dict[str, Any]:
        constexprs = self.signature.constexprs
        described = [
            describe_argument(name, value, constexpr=name in constexprs)
            for name, value in values.items()
        ]
        return describe_launch(self.source, grid, described, options)

    def _run(
        self, builder: Builder, launch: Launch, values: dict[str, Any]
    ) -> dict[str, list[Any]]:
        """Run all programs; returns the marks of what ran, by function."""
        for marks in marks_by_function.values():
            marks.clear()
        outer = builder.launch
        builder.launch = launch
        builder.running += 1
        builder.set_grid_dim(*launch.grid)
        try:
            host_tensors.refuse_launch(values.values())
            convert = self.signature.convert
            arguments = {name: convert(launch, name, one) for name, one in values.items()}
            self._run_programs(builder, launch, arguments)
        finally:
            builder.launch = outer
            builder.running -= 1
        return {name: list(marks) for name, marks in marks_by_function.items() if marks}

    def _run_programs(self, builder: Builder, launch: Launch, arguments: dict[str, Any]) -> None:
        x, y, z = launch.grid
        order = launch.watch.permutation(x * y * z)
        if not self.may_wait:
            self._run_in(order, builder, launch, arguments)
            return
        before = Snapshot(launch.storages)
        launch.patience = SpinCounter()
        try:
            self._run_in(order, builder, launch, arguments)
        except Waiting:
            before.restore()
            launch.watch.flags.add("waits")
            launch.begin_again()
            self._run_in(range(x * y * z), builder, launch, arguments)

    def _run_in(
        self, order: Sequence[int], builder: Builder, launch: Launch, arguments: dict[str, Any]
    ) -> None:
        account = progress.current()
        account.begin()
        for program in order:
            launch.begin(program)
            builder.grid_idx = place = launch.place(program)
            try:
                self.function(**arguments)
            except Exception as error:
                where = f"in kernel {self.name}, program {place} of grid {launch.grid}"
                if isinstance(error, _SEEN_BY_A_COMPILER):
                    raise _explain_missing_name(error, where) from None
                error.add_note(where)
                raise
            account.program_ended()


def _explain_missing_name(error: Exception, where: str) -> NotTriton:
    """Explain a missing name: on a device the compiler reports it before anything runs."""
    said = str(error).replace("'int' object", "a constant")
    if isinstance(error, AttributeError) and type(error.obj) is int:
        said += " (an integer argument of 1 is a constant, unless `do_not_specialize` names it)"
    refusal = NotTriton(said).with_traceback(error.__traceback__)
    refusal.add_note(where)
    return refusal


@contextmanager
def _track_launch(launch: Launch, values: dict[str, Any]) -> Iterator[None]:
    """Record a launch: what lay in its memory before, and whether it failed."""
    watch, kernel = launch.watch, launch.kernel
    if watch.memory is not None:
        watch.memory.before(values)
    try:
        yield
    except Exception as error:
        failure = {"kernel": kernel, "type": type(error).__name__, "message": str(error)[:1000]}
        watch.failures.append(failure)
        raise
    finally:
        if watch.memory is not None:
            watch.memory.after([values, launch.adopted])
        if launch.order.used:
            watch.ordered_by_atomics.add(kernel)


def _size(grid: Any) -> Grid:
    if not isinstance(grid, Sequence):  # a launcher for a device asks it for its length
        raise TypeError(f"the grid is of type {type(grid).__name__}; it must be a tuple of sizes")
    sizes = [int(n) for n in grid]
    if not 1 <= len(sizes) <= 3:
        raise ValueError(f"a grid has one to three dimensions, got {len(sizes)}")
    full = (*sizes, 1, 1)[:3]
    for axis, size, largest in zip("xyz", full, _LARGEST_GRID, strict=True):
        if not 0 <= size <= largest:
            raise ValueError(f"grid dimension {axis} is {size}, a device takes 0 to {largest}")
    return full[0], full[1], full[2]


def kernel_of(interpreted: Any) -> Kernel:
    """Kernel behind an interpreted function, prepared at the first use."""
    known: Kernel | None = interpreted.__dict__.get("_kernel")
    if known is None:
        known = interpreted.__dict__["_kernel"] = Kernel(interpreted)
    return known


def patch_kernels(builder: Builder) -> None:
    """Make every `@triton.jit` function launch and call through this file."""

    def run(self: Any, *args: Any, grid: Any, warmup: bool, **kwargs: Any) -> Any:
        kernel = kernel_of(self)
        if warmup:
            return kernel.compile(builder, args, kwargs)
        for hook in self.pre_run_hooks:
            hook(*args, **kwargs)
        builder.last_launch = kernel.launch(builder, args, grid, kwargs)
        return kernel.compile(builder, args, kwargs).load_handles()

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not builder.running:
            raise RuntimeError(
                f"{self.fn.__name__} is a @triton.jit function: launch it with a grid"
            )
        return kernel_of(self).function(*args, **kwargs)

    stock.InterpretedFunction.run = run
    stock.InterpretedFunction.__call__ = call
    stock.InterpretedFunction.rewrite = lambda self: kernel_of(self).function
