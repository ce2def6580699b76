"""The record of what was compiled and launched, which goes back to the caller."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ..resources import Resources, of_binary
from ..targets import Target
from .front_end import KernelIr

Grid = tuple[int, int, int]
Kernel = dict[str, Any]
"""JSON: name, arguments, ok, error, refused (numbers of recorded launches that the error is of),
skipped, registers, scalar_registers, spills, stack_bytes, shared_bytes, shared_limit, num_warps,
num_stages, grid, configuration, seconds."""


@dataclass(frozen=True)
class KernelSpecialisation:
    """One specialisation of a kernel on its way through the compiler."""

    name: str
    identity: str
    """Equal for two compilations of the same specialisation."""
    num_warps: int | None
    num_stages: int | None
    arguments: dict[str, str] = field(default_factory=dict)
    """What it was specialised for: a type, or the value where that is a constant."""


@dataclass
class Compilation:
    """Everything that a submission made the compiler do since `install`."""

    target: Target
    all_configurations: bool
    seed: int
    kernels: list[Kernel] = field(default_factory=list)
    launched: list[str] = field(default_factory=list)
    """Kernel names in the order in which the wrapper launched them."""
    trying: bool = False
    """Autotune is measuring: what does not fit is skipped, as on the GPU."""
    failures: dict[tuple[int, str], tuple[object, Exception]] = field(default_factory=dict)
    """By function (kept alive) and specialisation: what need not be tried again."""
    functions: list[Any] = field(default_factory=list)
    """Kernels that the compiler has seen, also those that no name of the module leads to."""
    built: list[tuple[KernelSpecialisation, KernelIr]] | None = None
    """Where there is a list, only the front end runs, and its results go into the list."""
    form: int | None = None
    """The number of the recorded launch that is compiled, where there is one."""
    _configuration: Callable[[], dict[str, Any] | None] = field(default=lambda: None)
    _by_identity: dict[str, Kernel] = field(default_factory=dict)
    _resources: dict[str, Resources] = field(default_factory=dict)

    def resources(self, binary: bytes) -> Resources:
        """The resources of a binary; each binary is read once."""
        digest = hashlib.sha256(binary).hexdigest()
        if digest not in self._resources:
            self._resources[digest] = of_binary(binary, self.target.backend)
        return self._resources[digest]

    def note_compiled(
        self, attempt: KernelSpecialisation, *, binary: bytes, shared_bytes: int, took_s: float
    ) -> None:
        """Note a specialisation that went through the compiler."""
        if attempt.identity in self._by_identity:
            return
        needs = self.resources(binary)
        kernel = self._new(attempt, took_s) | {
            "registers": needs.registers,
            "scalar_registers": needs.scalar_registers,
            "spills": needs.spills,
            "stack_bytes": needs.stack_bytes,
            "shared_bytes": shared_bytes,
        }
        self._keep(attempt.identity, kernel)

    def note_failed(
        self, attempt: KernelSpecialisation, error: Kernel, *, skipped: bool, took_s: float
    ) -> None:
        """Note a specialisation that the compiler refused, or that does not fit the GPU."""
        kernel = self._by_identity.get(attempt.identity)
        if kernel is None:
            kernel = self._new(attempt, took_s)
            self._keep(attempt.identity, kernel)
        kernel |= {"ok": False, "error": error, "skipped": skipped}
        if self.form is not None and self.form not in kernel["refused"]:
            kernel["refused"].append(self.form)

    def has_noted(self, error: Exception) -> bool:
        """Whether an error is recorded: the compiler raised it, not an earlier step."""
        return any(known is error for _, known in self.failures.values())

    def not_skipped(self, name: str) -> None:
        """Attribute a skipped error to the kernel: autotune found nothing better."""
        configuration = self._configuration()
        for kernel in self.kernels:
            if kernel["name"] == name and kernel["configuration"] == configuration:
                kernel["skipped"] = False

    def launch(self, name: str, identity: str, grid: Grid) -> None:
        """Note a launch, unless autotune only tries it; a kernel keeps the grid of its first."""
        if not self.trying:
            self.launched.append(name)
        kernel = self._by_identity.get(identity)
        if kernel is not None and kernel["grid"] is None:
            kernel["grid"] = list(grid)

    @contextmanager
    def attribute_to(
        self, configuration: Callable[[], dict[str, Any] | None], *, trying: bool
    ) -> Iterator[None]:
        """Attribute what is compiled inside to an autotune configuration.

        `configuration` is called when something is compiled: autotune decides late.
        """
        before = self._configuration, self.trying
        self._configuration, self.trying = configuration, trying
        try:
            yield
        finally:
            self._configuration, self.trying = before

    def _new(self, attempt: KernelSpecialisation, took_s: float) -> Kernel:
        return {
            "name": attempt.name,
            "arguments": attempt.arguments,
            "ok": True,
            "error": None,
            "refused": [],
            "skipped": False,
            "registers": None,
            "scalar_registers": None,
            "spills": None,
            "stack_bytes": None,
            "shared_bytes": None,
            "shared_limit": self.target.max_shared_bytes,
            "num_warps": attempt.num_warps,
            "num_stages": attempt.num_stages,
            "grid": None,
            "configuration": self._configuration(),
            "seconds": round(took_s, 4),
        }

    def _keep(self, identity: str, kernel: Kernel) -> None:
        self._by_identity[identity] = kernel
        self.kernels.append(kernel)
