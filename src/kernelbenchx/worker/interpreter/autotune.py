"""Autotuning and benchmarks without a clock: the seed draws, every function runs once."""

from __future__ import annotations

from typing import Any

import triton.testing
from triton.runtime.autotuner import Autotuner

from ..gpu_autotune import run_once
from .builder import Builder

__all__ = ["patch_tuning"]


def _key(tuner: Any, kwargs: dict[str, Any]) -> tuple[Any, ...]:
    named = {k: v for k, v in {**tuner.nargs, **kwargs}.items() if k in tuner.arg_names}
    chosen = [named[k] for k in tuner.keys if k in named]
    return (*chosen, *(str(v.dtype) for v in named.values() if hasattr(v, "dtype")))


def _has_hooks(tuner: Any, config: Any) -> bool:
    return bool(
        tuner.user_defined_pre_hook
        or tuner.user_defined_post_hook
        or tuner.reset_to_zero
        or tuner.restore_value
        or config.pre_hook
    )


def patch_tuning(builder: Builder) -> None:
    """Draw the configuration of an autotuned kernel instead of measuring all of them."""

    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        self.nargs = dict(zip(self.arg_names, args, strict=False))
        config = self.configs[0]
        if len(self.configs) > 1:
            key = _key(self, kwargs)
            if key in self.cache:
                config = self.cache[key]
            else:
                config = builder.watch.tuning.choice(list(self.prune_configs(kwargs)))
                done = _tried_for_good(self, config, args, kwargs)
                self.cache[key] = config  # a launch that raised is tried again, as on a GPU
                if done:
                    return None
        self.best_config = config
        if config.pre_hook is not None:
            config.pre_hook({**self.nargs, **kwargs, **config.all_kwargs()})
        result = self.fn.run(*args, **kwargs, **config.all_kwargs())
        self.nargs = None
        return result

    def _tried_for_good(
        tuner: Any, config: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> bool:
        """Run once as a benchmark would; True where running again would change nothing.

        A kernel that adds to its output without `reset_to_zero` is wrong after a benchmark, on a
        device as well as here.
        """
        tuner.best_config = config
        mark = builder.watch.mark()
        tuner._do_bench = run_once
        tuner.__dict__.pop("do_bench", None)
        tuner._bench(*args, config=config, **kwargs)
        if not _has_hooks(tuner, config) and not builder.last_launch.rewrites():
            tuner.nargs = None
            return True
        builder.watch.forget_since(mark)
        tuner.pre_hook({**tuner.nargs, **kwargs, **config.all_kwargs()}, reset_only=True)
        return False

    Autotuner.run = run
    triton.testing.do_bench = run_once
    triton.testing.do_bench_cudagraph = run_once
