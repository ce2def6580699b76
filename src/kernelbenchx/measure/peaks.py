"""Measures the peaks of a GPU: bandwidth, and the rate of products in each dtype.

Uses torch's own kernels, which are the vendor's best; the largest of several is the peak. It takes
a second, once per GPU: `peak_cache` keeps it.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import torch

from kernelbenchx.core.performance import Gpu

RATES = ("fp64", "fp32", "tf32", "fp16", "bf16", "int8", "fp8")

_DTYPES = {
    "fp64": torch.float64,
    "fp32": torch.float32,
    "tf32": torch.float32,
    "fp16": torch.float16,
    "bf16": torch.bfloat16,
    "int8": torch.int8,
    "fp8": torch.float8_e4m3fn,
}

Work = Callable[[], object]


class Timer(Protocol):
    """Times a piece of work."""

    def seconds(self, work: Work) -> float:
        """Seconds of one call, the best of several measurements."""
        ...


@dataclass(frozen=True)
class PeakPlan:
    """The sizes to measure."""

    buffers_bytes: tuple[int, ...] = (1 << 28, 1 << 30)
    """Beyond any L2; three buffers of each size."""
    sides: tuple[int, ...] = (2048, 4096, 8192)
    """Sizes of square matrices, ascending."""
    patience_s: float = 0.008
    """A larger product that would take longer is left out."""


@dataclass(frozen=True)
class CudaTimer:
    """Times several calls in a row with events, so that launching costs nothing."""

    device: torch.device
    window_s: float = 0.003
    rounds: int = 5

    def seconds(self, work: Work) -> float:
        """The best round."""
        self._round(work, 2)  # loads the kernel and picks its variant
        once = self._round(work, 1)
        count = max(1, min(64, math.ceil(self.window_s / max(once, 1e-6))))
        return min(self._round(work, count) for _ in range(self.rounds))

    def _round(self, work: Work, count: int) -> float:
        """Mean time of a call."""
        stream = torch.cuda.current_stream(self.device)
        start, end = _event(), _event()
        start.record(stream)
        for _ in range(count):
            work()
        end.record(stream)
        end.synchronize()
        return float(start.elapsed_time(end)) / 1000 / count


def _event() -> torch.cuda.Event:
    return torch.cuda.Event(enable_timing=True)  # type: ignore[no-untyped-call]


def describe_gpu(device: torch.device) -> Gpu:
    """Name, uuid and cache of a GPU, without measuring."""
    properties = torch.cuda.get_device_properties(device)
    return Gpu(
        name=properties.name,
        uuid=str(properties.uuid),
        l2_bytes=int(properties.L2_cache_size),
    )


def measure_gpu(
    device: torch.device, timer: Timer | None = None, plan: PeakPlan | None = None
) -> Gpu:
    """The GPU with its peaks. Takes about a second, in which the GPU must have no other work."""
    plan = plan or _choose_plan(device)
    card = describe_gpu(device)
    with torch.cuda.device(device):
        rates = measure_peak_rates(device, timer or CudaTimer(device), plan)
        torch.cuda.empty_cache()
    return Gpu(
        name=card.name,
        uuid=card.uuid,
        l2_bytes=card.l2_bytes,
        bandwidth_gb_per_s=rates.pop("bandwidth"),
        tflops=rates,
    )


def measure_peak_rates(device: torch.device, timer: Timer, plan: PeakPlan) -> dict[str, float]:
    """Bandwidth in GB/s as `bandwidth`, and TFLOPS of each rate that this GPU and torch have."""
    found = {"bandwidth": max(_bandwidth(device, timer, size) for size in plan.buffers_bytes)}
    for rate in RATES:
        peak = _product_rate(rate, device, timer, plan)
        if peak:
            found[rate] = peak
    return found


def _choose_plan(device: torch.device) -> PeakPlan:
    """Three buffers in half of the free memory."""
    free, _ = torch.cuda.mem_get_info(device)
    plan = PeakPlan()
    sizes = tuple(size for size in plan.buffers_bytes if 6 * size <= free)
    return PeakPlan(buffers_bytes=sizes or plan.buffers_bytes[:1])


def _bandwidth(device: torch.device, timer: Timer, size_bytes: int) -> float:
    """The best of a copy, a read and two reads with one write."""
    one, two, three = (torch.ones(size_bytes // 4, device=device) for _ in range(3))
    rows = one.view(-1, min(1 << 16, one.numel()))
    moves: tuple[tuple[int, Work], ...] = (
        (2, lambda: two.copy_(one)),
        (1, lambda: one.sum()),
        (1, lambda: rows.amax(1)),
        (3, lambda: torch.add(one, two, alpha=0.5, out=three)),
    )
    return max(times * size_bytes / timer.seconds(work) for times, work in moves) / 1e9


def _product_rate(rate: str, device: torch.device, timer: Timer, plan: PeakPlan) -> float:
    """The rate of a product; 0 if this GPU or this torch has no such product."""
    best, expected_s = 0.0, 0.0
    for side in plan.sides:
        flops = 2 * side**3
        if best:
            expected_s = flops / best
        if expected_s > plan.patience_s:
            break
        try:
            with _precision(rate):
                best = max(best, flops / timer.seconds(_product(rate, side, device)))
        except (RuntimeError, AttributeError):  # not on this GPU, not in this torch, too large
            break
    return best / 1e12


def _product(rate: str, side: int, device: torch.device) -> Work:
    """A square product with a transposed second factor, as 8-bit products need it."""
    dtype = _DTYPES[rate]
    if rate == "int8":
        a = torch.randint(-127, 128, (side, side), device=device, dtype=dtype)
        b = torch.randint(-127, 128, (side, side), device=device, dtype=dtype).t()
        return lambda: torch._int_mm(a, b)
    x = torch.randn(side, side, device=device).to(dtype)
    y = torch.randn(side, side, device=device).to(dtype).t()
    if rate == "fp8":
        unit = torch.ones((), device=device)
        return lambda: torch._scaled_mm(x, y, unit, unit, out_dtype=torch.bfloat16)
    out = torch.empty(side, side, device=device, dtype=dtype)
    return lambda: torch.mm(x, y, out=out)


@contextmanager
def _precision(rate: str) -> Iterator[None]:
    """float32 products with or without TF32; the setting belongs to the whole process."""
    switch = torch.backends.cuda.matmul
    before = switch.fp32_precision
    switch.fp32_precision = "tf32" if rate == "tf32" else "ieee"
    try:
        yield
    finally:
        switch.fp32_precision = before
