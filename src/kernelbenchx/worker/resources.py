"""The resources that a compiled kernel needs of a GPU, read from its binary."""

from dataclasses import dataclass

from .compiler.cubin import registers_and_stack
from .compiler.hsaco import kernel_metadata


@dataclass(frozen=True)
class Resources:
    """Registers and memory of one thread of a kernel."""

    registers: int
    """32-bit registers; on AMD the vector registers (architectural and accumulation)."""
    scalar_registers: int | None
    """Registers that a whole wave shares; NVIDIA doesn't report them."""
    stack_bytes: int
    """Thread-local memory in bytes: spilled registers and arrays that are not in registers."""

    @property
    def spills(self) -> int:
        """What Triton calls `n_spills` on a GPU: thread-local memory in 32-bit words."""
        return self.stack_bytes // 4


def of_binary(binary: bytes, backend: str) -> Resources:
    """Read the resources of the single kernel in a cubin (cuda) or an hsaco (hip)."""
    return _of_hsaco(binary) if backend == "hip" else _of_cubin(binary)


def _of_cubin(binary: bytes) -> Resources:
    registers, stack_bytes = registers_and_stack(binary)
    return Resources(registers=registers, scalar_registers=None, stack_bytes=stack_bytes)


def _of_hsaco(binary: bytes) -> Resources:
    kernel = kernel_metadata(binary)
    return Resources(
        # Since CDNA2 accumulation registers are part of this count.
        registers=int(kernel[".vgpr_count"]),
        scalar_registers=int(kernel[".sgpr_count"]),
        stack_bytes=int(kernel[".private_segment_fixed_size"]),
    )
