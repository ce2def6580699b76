"""Times of a kernel as its author reads them: against PyTorch, against the limit, and why."""

from kernelbenchx.catalog.statement import Statement
from kernelbenchx.core.evaluation import Evaluation, KernelFacts
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import (
    Clock,
    Efficiency,
    KernelShare,
    SpeedClass,
    Timed,
    TimedCase,
    Unmeasured,
)
from kernelbenchx.core.scale import Scale
from kernelbenchx.generate.case_description import case_words
from kernelbenchx.generate.error_hints import clean_message, meaning

_SPEED_CLASSES = {
    SpeedClass.FASTER: "faster than PyTorch",
    SpeedClass.SLOWER: "slower than PyTorch",
    SpeedClass.TIE: "as fast as PyTorch",
    SpeedClass.UNDECIDED: "too close to PyTorch to tell",
}
_FAILURES = {
    Reason.TIMED_WRONG: "the answer is wrong",
    Reason.LATE: "a call returned before its work was done",
    Reason.STALE: "a call returned the answer of an earlier call",
    Reason.TIMEOUT: "it did not end in time",
    Reason.MEMORY: "it ran out of memory",
}
_NAMED = (Reason.LATE, Reason.STALE)
"""Whose name says it all: which element is wrong then does not matter."""
_NAMES = {"eager": "PyTorch", "compile": "torch.compile"}
_MOST_PARTS = 5
_MANY_REGISTERS = 128
"""Per thread: from here on few programs fit on a multiprocessor at once."""
_FAR_BELOW = 0.2
"""Of the bandwidth and of the arithmetic: a kernel below both waits for something else."""


def time_words(evaluation: Evaluation, statement: Statement) -> list[str]:
    """A line per timed case and one for all; nothing where there are no times."""
    timed = evaluation.performance
    if isinstance(timed, Unmeasured):
        return ["No time could be taken; that says nothing about the kernel."]
    if not isinstance(timed, Timed):
        return []
    lines = [f"Time per call on {timed.gpu.name or 'the GPU'}, and its ratio to yours:"]
    lines += [f"- {_case(one, statement)}" for one in timed.cases]
    over = timed.find_speedup()
    if over is not None:
        lines.append(
            f"Overall {over.speedup:.2f}x PyTorch's speed: {_SPEED_CLASSES[over.speed_class]}."
        )
    return lines


def scale_failure(scale: Scale) -> str:
    """The result of a call at a timed size, in a clause."""
    return _FAILURES.get(scale.reason, "a call failed") if scale.reason else ""


def scale_words(scale: Scale, statement: Statement) -> list[str]:
    """The timed case that failed and how: inputs that are timed are larger than those checked."""
    where = case_words(scale.case, statement)
    lines = [f"Failing input: {where}"] if where else []
    if scale.reason not in _NAMED:
        lines.append(clean_message(scale.detail))
    hint = meaning(scale.detail)
    return [*lines, f"Hint: {hint}."] if hint else lines


def _case(one: TimedCase, statement: Statement) -> str:
    parts: list[str] = []
    for baseline, name in _NAMES.items():
        compared = one.find_comparison(baseline, Clock.DEVICE)
        if compared is None:
            continue
        if not parts:
            parts.append(f"yours {_time(compared.candidate_us)}")
            parts += _limit(one, compared.candidate_us)
        parts.append(f"{name} {_time(compared.baseline_us)} ({_ratio(compared.speedup)})")
    if _mostly_waiting(one):
        parts.append("a caller waits longer for the launch than for the kernel")
    return f"{case_words(one.case, statement)}: " + ", ".join(parts)


def _mostly_waiting(one: TimedCase) -> bool:
    """Whether call time is more than twice the device time."""
    device, call = (one.find_comparison("eager", clock) for clock in (Clock.DEVICE, Clock.CALL))
    return device is not None and call is not None and call.candidate_us > 2 * device.candidate_us


def _limit(one: TimedCase, mine_us: float) -> list[str]:
    """What the work would take at the measured peaks; never below what nothing can beat."""
    limit_us = max(one.efficiency.roofline_us, mine_us * one.efficiency.score)
    if limit_us <= 0 or mine_us <= 0:
        return []
    return [f"the GPU's limit {_time(limit_us)} ({_ratio(limit_us / mine_us)})"]


def _time(microseconds: float) -> str:
    return f"{microseconds / 1000:.3g} ms" if microseconds >= 1000 else f"{microseconds:.3g} us"


def _ratio(value: float) -> str:
    return f"{value:.2f}x" if value >= 0.1 else f"{value:.2g}x"


def profile_words(evaluation: Evaluation, statement: Statement) -> list[str]:
    """What the compiler and the GPU report of the kernels; nothing where neither was asked."""
    lines = []
    timed = evaluation.performance
    if isinstance(timed, Timed) and timed.cases:
        lines.append("Use of the GPU, as a share of what it was measured to reach:")
        lines += [f"- {_use(one, statement)}" for one in timed.cases]
    kernels = _largest(evaluation.kernels)
    if kernels:
        lines.append(f"Compiled for {next(iter(kernels.values())).target}:")
        lines += [f"- {_kernel(one)}" for one in kernels.values()]
    return lines


def _use(one: TimedCase, statement: Statement) -> str:
    use = one.efficiency
    memory = f"{use.gb_per_s:.4g} GB/s ({_share(use.iou)} of the bandwidth)"
    arithmetic = f"{use.tflops:.3g} TFLOP/s ({_share(use.mfu)} of the arithmetic)"
    said = f"{case_words(one.case, statement)}: {memory}, {arithmetic}; {_bound(use)}"
    if not one.kernel_shares:
        return said
    return (
        f"{said}; of the time {', '.join(_part(part) for part in one.kernel_shares[:_MOST_PARTS])}"
    )


def _bound(use: Efficiency) -> str:
    if max(use.iou, use.mfu) < _FAR_BELOW:
        return "neither is the limit: latency, too few programs at once, or launches"
    return f"{'memory' if use.iou >= use.mfu else 'arithmetic'} is the limit"


def _part(one: KernelShare) -> str:
    often = f" in {one.launches} launches" if one.launches > 1 else ""
    return f"{clean_message(one.name)} takes {_share(one.share)}{often}"


def _share(value: float) -> str:
    return f"{value:.0%}" if value >= 0.01 else "under 1%"


def _largest(kernels: tuple[KernelFacts, ...]) -> dict[str, KernelFacts]:
    """One for each name: the variant that needs most."""
    found: dict[str, KernelFacts] = {}
    for one in kernels:
        known = found.get(one.name)
        if one.ok and (known is None or one.need > known.need):
            found[one.name] = one
    return found


def _kernel(one: KernelFacts) -> str:
    said = f"{one.name}: up to {one.registers} registers per thread"
    if one.spills:
        said += f", {one.spills} more spilled to memory (smaller blocks or more warps help)"
    elif one.registers >= _MANY_REGISTERS:
        said += " (many: few programs fit on the GPU at once)"
    shared = (
        f"{one.shared_bytes} bytes of shared memory" if one.shared_bytes else "no shared memory"
    )
    return f"{said}, {shared}"
