"""Autotuning on a GPU without timing: the seed draws a configuration that runs there.

Measuring every configuration for every shape takes seconds and says nothing about correctness. Each
shape gets its own draw, so that more configurations are checked than tuning would ever use.
"""

import math
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_UNUSABLE = [math.inf] * 3


def run_once(
    fn: Callable[[], Any], *_: Any, quantiles: Any = None, return_mode: str = "mean", **_more: Any
) -> Any:
    """Replace a benchmark: one run, one millisecond, in the form that was asked for."""
    fn()
    if quantiles:
        return [1.0] * len(quantiles) if len(quantiles) > 1 else 1.0
    return [1.0] if return_mode == "all" else 1.0


@contextmanager
def drawing_configurations(seed: int) -> Iterator[None]:
    """Inside, an autotuned kernel takes the first configuration in a drawn order that runs."""
    import triton.testing
    from triton.runtime.autotuner import Autotuner

    pruned, measured, ran = Autotuner.prune_configs, Autotuner._bench, Autotuner.run
    benchmarks = triton.testing.do_bench, triton.testing.do_bench_cudagraph

    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        self.settled = False
        self.do_bench = run_once  # also in place of a submission's own
        return ran(self, *args, **kwargs)

    def prune_configs(self: Any, kwargs: dict[str, Any]) -> list[Any]:
        configurations = list(pruned(self, kwargs))
        # By the problem and not by the order of calls: compiling ahead must draw the same.
        order = random.Random(f"{seed} {_problem(self, {**self.nargs, **kwargs})}")
        return order.sample(configurations, len(configurations))

    def bench(self: Any, *args: Any, config: Any, **meta: Any) -> Any:
        if self.settled:
            return _UNUSABLE
        timings = measured(self, *args, config=config, **meta)
        self.settled = timings[0] != math.inf
        return timings

    Autotuner.run, Autotuner.prune_configs, Autotuner._bench = run, prune_configs, bench
    triton.testing.do_bench = triton.testing.do_bench_cudagraph = run_once
    try:
        yield
    finally:
        Autotuner.run, Autotuner.prune_configs, Autotuner._bench = ran, pruned, measured
        triton.testing.do_bench, triton.testing.do_bench_cudagraph = benchmarks


def _problem(tuner: Any, given: dict[str, Any]) -> list[Any]:
    """The key by which an autotuned kernel distinguishes problems."""
    named = [given.get(name) for name in tuner.keys]
    numbers = [value for value in named if isinstance(value, int | float | str)]
    dtypes = [str(value.dtype) for value in given.values() if hasattr(value, "dtype")]
    return [tuner.base_fn.__name__, numbers, dtypes]


@contextmanager
def trying_all() -> Iterator[None]:
    """Inside, an autotuned kernel runs every configuration once and remembers no choice."""
    from triton.runtime.autotuner import Autotuner

    ran, tuners = Autotuner.run, []

    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        tuners.append(self)
        self.__dict__["do_bench"] = run_once
        try:
            return ran(self, *args, **kwargs)
        finally:
            self.__dict__.pop("do_bench", None)

    Autotuner.run = run
    try:
        yield
    finally:
        Autotuner.run = ran
        for tuner in tuners:
            tuner.cache.clear()


@contextmanager
def measured_briefly() -> Iterator[None]:
    """Inside, Triton's own benchmark takes a fifth of its time; a submission's own stays."""
    import triton.testing
    from triton.runtime.autotuner import Autotuner

    ran = Autotuner.run

    def benchmark(fn: Callable[[], Any], quantiles: Any) -> Any:
        return triton.testing.do_bench(fn, warmup=5, rep=20, quantiles=quantiles)

    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        if getattr(self, "_do_bench", None) is None:
            self.__dict__["do_bench"] = benchmark
        return ran(self, *args, **kwargs)

    Autotuner.run = run
    try:
        yield
    finally:
        Autotuner.run = ran
