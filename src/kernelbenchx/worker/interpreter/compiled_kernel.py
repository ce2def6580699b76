"""What `kernel.warmup(...)` and `kernel[grid](...)` return: facts of a binary, and a launcher.

Wrappers size their grid by registers and shared memory; `binary_needs.py` holds those numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from triton.backends.compiler import GPUTarget

from .binary_needs import Needs

__all__ = ["CompiledKernel", "Launcher"]

Launcher = Callable[[Any, dict[str, Any]], None]
"""Launches with a grid and arguments by name."""

_MOST_THREADS = 1024
_DEFAULTS = {"num_warps": 4, "num_stages": 3, "num_ctas": 1}
_TEXTS = ("ttir", "ttgir", "llir", "ptx")


class _Metadata(SimpleNamespace):
    """Options and sizes that the compiler writes down."""

    needs: Callable[[], Needs]

    @property
    def shared(self) -> int:
        """Bytes of shared memory."""
        return self.needs().shared_bytes


class CompiledKernel:
    """Stands in for `triton.compiler.CompiledKernel`."""

    n_spills: int
    n_max_threads: int

    def __init__(
        self,
        name: str,
        names: Sequence[str],
        fixed: Mapping[str, Any],
        launch: Launcher,
        needs: Callable[[], Needs],
    ) -> None:
        self.name = name
        self._names = names
        self._fixed = fixed
        """Constexprs and options: they are part of a binary, whatever a launch passes."""
        self._launch = launch
        self._needs = needs
        self.module: Any = None
        self.function: Any = None

    @property
    def metadata(self) -> Any:
        """Options and sizes that the compiler writes down."""
        options = {key: self._fixed.get(key, default) for key, default in _DEFAULTS.items()}
        return _Metadata(
            name=self.name,
            needs=self._needs,
            target=GPUTarget("cuda", 90, 32),
            warp_size=32,
            cluster_dims=(1, 1, 1),
            global_scratch_size=0,
            **options,
        )

    @property
    def n_regs(self) -> int:
        """Registers of a thread, once the binary is loaded."""
        if self.function is None:
            raise AttributeError("n_regs is not known before _init_handles()")
        return self._needs().registers

    @property
    def asm(self) -> dict[str, Any]:
        """Texts of the compiler; empty, since there was none."""
        return {**dict.fromkeys(_TEXTS, ""), "cubin": b""}

    def _init_handles(self) -> None:
        """Load the binary: only then are its registers known."""
        self.module, self.function = 1, 1
        self.n_spills, self.n_max_threads = 0, _MOST_THREADS

    def load_handles(self) -> CompiledKernel:
        """The kernel itself with its binary loaded, as after a launch."""
        self._init_handles()
        return self

    def __getitem__(self, grid: Any) -> Callable[..., None]:
        self._init_handles()

        def runner(*args: Any, stream: Any = None) -> None:  # noqa: ARG001 - there is one
            if len(args) != len(self._names):
                raise TypeError(f"{self.name}: {len(args)} arguments for {len(self._names)}")
            given = dict(zip(self._names, args, strict=True))
            self._launch(grid, {**given, **self._fixed})

        return runner
