"""Cross-compiles what a submission launches, for a named GPU, on a machine without one.

`install` makes a driver active that answers for the GPU. The submission then runs unmodified: each
launch is compiled with its true specialisation, and nothing is executed. One process compiles for
one target: a kernel that was launched before keeps the target of its first launch.
"""

import torch
from triton import knobs
from triton.compiler import compiler
from triton.runtime.driver import driver

from .compiler.autotune import watch_autotune
from .compiler.compilation_record import Compilation
from .compiler.compile_recorded import compile_recorded
from .compiler.driver import CompileOnlyDriver
from .compiler.hooks import watch_compiler
from .compiler.prewarm import compile_small, name_by_version
from .targets import find_target
from .versions import require_tested

__all__ = ["Compilation", "compile_recorded", "install", "prewarm", "prewarm_for_gpu"]


def install(target_name: str, *, all_configurations: bool, seed: int) -> Compilation:
    """Make the driver without a GPU active and return the record of what it compiles.

    With `all_configurations` every autotune configuration is compiled, otherwise one that the seed
    draws (the next one where the first does not fit the GPU).
    """
    require_tested()
    if knobs.runtime.interpret:
        raise RuntimeError(
            "compiling and interpreting cannot share a process: unset TRITON_INTERPRET"
        )
    target = find_target(target_name)
    compilation = Compilation(target=target, all_configurations=all_configurations, seed=seed)
    watch_compiler()
    watch_autotune()
    driver.set_active(CompileOnlyDriver(target, compilation))
    # Triton remembers the limit of device 0, which was another GPU before.
    compiler.max_shared_mem.cache_clear()
    return compilation


def prewarm(target_name: str = "sm_90", *, by_version: bool = False) -> None:
    """Compile one small kernel, so that children forked later need not load the compiler.

    It warms other targets too: most of the time goes into loading and hashing the compiler.
    `by_version` saves the hashing, where no other process uses what children compile.
    """
    if by_version:
        name_by_version()
    install(target_name, all_configurations=False, seed=0)
    compile_small(torch.zeros(256, device="cpu"))


def prewarm_for_gpu(target_name: str = "sm_90") -> None:
    """Load and hash the compiler for children that will use a GPU of their own.

    Nothing stays behind: a child finds its driver by itself, and no GPU is queried here.
    """
    target = find_target(target_name)
    compilation = Compilation(target=target, all_configurations=False, seed=0)
    driver.set_active(CompileOnlyDriver(target, compilation))
    try:
        compile_small(torch.zeros(256, device="cpu"))
    finally:
        driver.set_active(None)
        compiler.max_shared_mem.cache_clear()
