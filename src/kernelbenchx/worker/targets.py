"""The GPUs that a kernel can be compiled for, with the limits that decide whether it fits."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """One architecture, with the facts of a real GPU that has it."""

    name: str
    card: str
    backend: str
    """Triton's name of the compiler backend: cuda or hip."""
    arch: int | str
    """Triton's name of the architecture: 90 for sm_90, "gfx942" for gfx942."""
    warp_size: int
    max_shared_bytes: int
    """Shared memory that one block may ask for (LDS on AMD)."""
    multiprocessors: int
    max_registers: int
    """32-bit registers that one block may use."""
    max_threads: int
    """Threads in one block."""
    max_grid: tuple[int, int, int]
    core_clock_khz: int
    memory_clock_khz: int
    memory_bus_bits: int

    def threads_with(self, registers: int) -> int:
        """Threads that one block may have when each needs so many registers."""
        if self.backend == "hip":
            return self.max_threads
        # NVIDIA hands out registers by 8 to a thread, and to 4 warps at a time.
        per_warp = -(-max(registers, 1) // 8) * 8 * self.warp_size
        warps = self.max_registers // per_warp // 4 * 4
        return min(self.max_threads, warps * self.warp_size)

    @property
    def capability(self) -> tuple[int, int]:
        """The value of `torch.cuda.get_device_capability` on this GPU."""
        if isinstance(self.arch, int):
            return divmod(self.arch, 10)
        return int(self.arch[3]), int(self.arch[4], 16)


def _nvidia(
    arch: int, card: str, *, shared: int, processors: int, clocks: tuple[int, int, int]
) -> Target:
    return Target(
        name=f"sm_{arch}",
        card=card,
        backend="cuda",
        arch=arch,
        warp_size=32,
        max_shared_bytes=shared,
        multiprocessors=processors,
        max_registers=65536,
        max_threads=1024,
        max_grid=(2**31 - 1, 65535, 65535),
        core_clock_khz=clocks[0],
        memory_clock_khz=clocks[1],
        memory_bus_bits=clocks[2],
    )


def _amd(
    arch: str, card: str, *, shared: int, processors: int, clocks: tuple[int, int, int]
) -> Target:
    return Target(
        name=arch,
        card=card,
        backend="hip",
        arch=arch,
        warp_size=64,
        max_shared_bytes=shared,
        multiprocessors=processors,
        max_registers=65536,
        max_threads=1024,
        max_grid=(2**31 - 1, 65536, 65536),
        core_clock_khz=clocks[0],
        memory_clock_khz=clocks[1],
        memory_bus_bits=clocks[2],
    )


# Shared memory: 163, 99 and 227 KiB of opt-in per block on NVIDIA; 64 and 160 KiB of LDS on AMD.
TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        _nvidia(80, "A100", shared=166912, processors=108, clocks=(1_410_000, 1_593_000, 5120)),
        _nvidia(89, "L40S", shared=101376, processors=142, clocks=(2_520_000, 9_001_000, 384)),
        _nvidia(90, "H200", shared=232448, processors=132, clocks=(1_980_000, 3_201_000, 6016)),
        _nvidia(100, "B200", shared=232448, processors=148, clocks=(1_965_000, 3_996_000, 8192)),
        _amd("gfx942", "MI300X", shared=65536, processors=304, clocks=(2_100_000, 1_300_000, 8192)),
        _amd(
            "gfx950", "MI355X", shared=163840, processors=256, clocks=(2_400_000, 2_000_000, 8192)
        ),
    )
}


def find_target(name: str) -> Target:
    """The target of that name; ValueError with the known names otherwise."""
    if name not in TARGETS:
        raise ValueError(f"unknown target {name!r}: expected one of {', '.join(TARGETS)}")
    return TARGETS[name]
