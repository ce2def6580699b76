"""Autotune without a clock: every configuration is compiled, or one that the seed draws."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import triton.testing
from triton.runtime.autotuner import Autotuner
from triton.runtime.errors import OutOfResources

from ..gpu_autotune import run_once
from .compilation_record import Compilation
from .hooks import wrap

_UNUSABLE = [math.inf, math.inf, math.inf]
"""Triton's own answer for a configuration that does not fit; a list, to compare with lists."""


@dataclass
class _Round:
    """One run of an autotuned kernel."""

    settled: bool = False
    """A configuration was found that fits."""
    error: Exception | None = None
    """The first error that would have ended the run on a GPU."""


def watch_autotune() -> None:
    """Replace measuring by compiling, in Triton's autotuner and its benchmark functions."""
    wrap(Autotuner, "run", _run)
    wrap(Autotuner, "prune_configs", _prune)
    wrap(Autotuner, "_bench", _bench)
    wrap(triton.testing, "do_bench", _do_bench)
    wrap(triton.testing, "do_bench_cudagraph", _do_bench)


def describe_config(configuration: Any | None) -> dict[str, Any] | None:
    """A `triton.Config` as JSON."""
    if configuration is None:
        return None
    return {
        name: value if isinstance(value, bool | int | float | str) else repr(value)
        for name, value in configuration.all_kwargs().items()
    }


def _run(
    compilation: Compilation,
    original: Callable[..., Any],
    tuner: Any,
    *args: Any,
    **kwargs: Any,
) -> Any:
    tuner.round = _Round()
    # A submission's own benchmark function may need a clock or a stream of the GPU.
    tuner.do_bench = run_once

    def describe_best() -> dict[str, Any] | None:
        return describe_config(getattr(tuner, "best_config", None))

    with compilation.attribute_to(describe_best, trying=False):
        try:
            result = original(tuner, *args, **kwargs)
        except OutOfResources:
            compilation.not_skipped(tuner.base_fn.__name__)
            raise
    if tuner.round.error is not None:
        raise tuner.round.error
    return result


def _prune(
    compilation: Compilation, original: Callable[..., Any], tuner: Any, kwargs: dict[str, Any]
) -> list[Any]:
    configurations: list[Any] = original(tuner, kwargs)
    if compilation.all_configurations:
        return configurations
    # The first is the one that `choice` of the same generator would draw.
    return random.Random(compilation.seed).sample(configurations, len(configurations))


def _bench(
    compilation: Compilation,
    original: Callable[..., Any],
    tuner: Any,
    *args: Any,
    config: Any,
    **meta: Any,
) -> Any:
    state: _Round = tuner.round
    if state.settled and not compilation.all_configurations:
        return _UNUSABLE
    with compilation.attribute_to(lambda: describe_config(config), trying=True):
        try:
            timings = original(tuner, *args, config=config, **meta)
        except Exception as error:
            if not compilation.all_configurations:
                raise
            # The GPU would stop here; the other configurations are compiled first.
            state.error = state.error or error
            return _UNUSABLE
    state.settled = state.settled or timings[0] != math.inf
    return timings


def _do_bench(
    compilation: Compilation, original: Callable[..., Any], *args: Any, **kwargs: Any
) -> Any:
    del compilation, original
    return run_once(*args, **kwargs)
