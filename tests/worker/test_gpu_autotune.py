"""Autotuning without a clock: a drawn configuration that runs is taken, and only that one."""

from types import SimpleNamespace
from typing import Any

import pytest
import triton.testing
from triton import Config
from triton.runtime.autotuner import Autotuner
from triton.runtime.errors import OutOfResources

from kernelbenchx.worker.gpu_autotune import drawing_configurations
from kernelbenchx.worker.launch_counter import counting_launches


def _tuner(ran: list[int], too_large: set[int]) -> Any:
    def run(*_args: Any, BLOCK: int, **_options: Any) -> None:
        if BLOCK in too_large:
            raise OutOfResources(1, 0, "shared memory")
        ran.append(BLOCK)

    fn = SimpleNamespace(run=run, fn=run)
    configs = [Config({"BLOCK": block}) for block in (16, 32, 64, 128)]
    return Autotuner(fn, ["n"], configs, ["n"], None, None)


def test_every_shape_draws_and_runs_one_configuration() -> None:
    ran: list[int] = []
    with drawing_configurations(seed=5):
        tuner = _tuner(ran, too_large=set())
        for n in range(40):
            tuner.run(n)
    assert set(ran) == {16, 32, 64, 128}
    assert all(first == again for first, again in zip(ran[::2], ran[1::2], strict=True))
    assert len(ran) == 80


def test_the_draw_depends_on_the_problem_and_not_on_the_order_of_calls() -> None:
    found = []
    for order in (range(20), reversed(range(20))):
        ran: list[int] = []
        with drawing_configurations(seed=5):
            tuner = _tuner(ran, too_large=set())
            drawn = {n: (tuner.run(n), ran[-1])[1] for n in order}
        found.append(drawn)
    assert found[0] == found[1]


def test_a_call_without_kernels_keeps_no_choice() -> None:
    for ablate in (True, False):
        tuner = _tuner([], too_large=set())
        with drawing_configurations(seed=5), counting_launches() as launches:
            tuner.run(1)
            launches.begin(ablate=ablate)
            tuner.run(2)
        assert len(tuner.cache) == (1 if ablate else 2)


def test_what_does_not_fit_is_passed_over_as_on_a_card() -> None:
    ran: list[int] = []
    with drawing_configurations(seed=5):
        tuner = _tuner(ran, too_large={16, 64, 128})
        for n in range(10):
            tuner.run(n)
    assert set(ran) == {32}


def test_a_kernel_that_fits_nowhere_fails() -> None:
    with drawing_configurations(seed=5):
        tuner = _tuner([], too_large={16, 32, 64, 128})
        with pytest.raises(OutOfResources):
            tuner.run(3)


def test_benchmarks_run_once_and_come_back() -> None:
    original, calls = triton.testing.do_bench, []
    with drawing_configurations(seed=5):
        assert triton.testing.do_bench(lambda: calls.append(1), quantiles=[0.5, 0.2]) == [1.0, 1.0]
        assert triton.testing.do_bench(lambda: calls.append(1)) == 1.0
    assert len(calls) == 2
    assert triton.testing.do_bench is original
