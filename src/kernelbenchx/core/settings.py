"""How evaluations are made: resolved once, no field left open."""

from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.record import Record


class Settings(Record, frozen=True, kw_only=True):
    """Everything that changes what an evaluation can say."""

    device: str
    """`interpreter` or `cuda`; `auto` until it is resolved."""
    stage: Stage = Stage.EXE
    baselines: tuple[str, ...] = ("eager",)
    """What times are compared with, where the stage is `perf`: `eager`, `compile`."""
    cards: tuple[int, ...] = ()
    """The cards to use, by index; empty for all."""
    checks: bool = True
    compile: bool = True
    """Whether interpreted kernels must also compile; certificates of mutants need not."""
    target: str = "sm_90"
    isolation: str = "auto"
    """`auto` for the highest level of this machine, or `L1`, `L2`, `L3`."""
    jobs: int = 2
    wall_s: float = 60.0
    """Time limit of one worker."""
    compile_wall_s: float = 60.0
    memory_bytes: int = 6 << 30
    output_bytes: int = 1 << 28
    seed: int = 0
    """Secret and fresh per run unless given; 0 means: draw one."""
