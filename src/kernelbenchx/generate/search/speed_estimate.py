"""The speed of a kernel for a search, from its verdict: measured, estimated or none.

Without a clock there is no speed. What is left is what the compiler said of registers, spills and
shared memory, and the belief that goes with the task's cost: an estimate ranks settings, and is
never reported as a time.
"""

import math
from collections.abc import Mapping

from kernelbenchx.core.evaluation import Evaluation, KernelFacts
from kernelbenchx.core.performance import Timed
from kernelbenchx.generate.judged_kernel import JudgedKernel
from kernelbenchx.generate.search.choice_reader import UNWRITTEN
from kernelbenchx.generate.search.log_speed import LogSpeed
from kernelbenchx.generate.search.prior import Bottleneck, make_prior
from kernelbenchx.generate.search.setting_space import THREADS, SettingSpace

REGISTERS = 65536
RESIDENT_WARPS = 64
RESIDENT_PROGRAMS = 32
SHARED_BYTES = 228 << 10
"""Of a multiprocessor of recent GPUs; a ranking needs no more."""
ENOUGH = 0.5
"""Of all warps: more hide hardly any more waiting."""
STEP = 0.05
"""Estimates closer than this are equal."""


def speed_of(judged: JudgedKernel, bound: Bottleneck) -> LogSpeed | None:
    """Over eager by device time where a clock was read; an estimate where none was asked for."""
    if not judged.solved:
        return None
    timed = judged.evaluation.own_performance
    if timed is None:
        return _estimate_speed(judged.evaluation, judged.source, bound)
    if not isinstance(timed, Timed) or not timed.speedups:
        return None
    over = timed.find_speedup() or timed.speedups[0]
    if min(over.low, over.speedup, over.high) <= 0:
        return None
    return LogSpeed(math.log(over.speedup), math.log(over.low), math.log(over.high))


def _estimate_speed(evaluation: Evaluation, source: str, bound: Bottleneck) -> LogSpeed:
    space = SettingSpace.of(source)
    warps = {name: round(2**steps) for name, steps in space.warps(space.start).items()}
    lost = max((kernel_loss(one, warps) for one in evaluation.kernels if one.ok), default=0.0)
    value = round((make_prior(bound)(space, space.start) - lost) / STEP) * STEP
    return LogSpeed(value, value, value, measured=False)


def kernel_loss(facts: KernelFacts, warps: Mapping[str, int]) -> float:
    """Log speed that a kernel loses: by spills, and where too few warps fit at once."""
    own = warps.get(facts.name, UNWRITTEN["num_warps"])
    by_registers = REGISTERS / (max(facts.registers, 16) * THREADS * own)
    by_shared = SHARED_BYTES / facts.shared_bytes if facts.shared_bytes else RESIDENT_PROGRAMS
    programs = int(min(RESIDENT_PROGRAMS, RESIDENT_WARPS / own, by_registers, by_shared))
    occupied = max(programs, 0.25) * own / RESIDENT_WARPS
    return 0.5 * max(0.0, math.log(ENOUGH / occupied)) + min(1.0, 0.01 * facts.spills)
