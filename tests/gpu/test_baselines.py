"""On a GPU: what submissions are timed against is right."""

import pytest
import torch

from benchmark_files import benchmark
from kernelbenchx import catalog
from kernelbenchx.measure.baseline import set_precision

pytestmark = pytest.mark.gpu

BASELINES = benchmark("card_baselines")


@pytest.mark.parametrize("name", catalog.function_names())
def test_eager_is_right_in_every_timing_case(name: str) -> None:
    task = catalog.load(name)
    set_precision(task)
    for case in task.timings:
        found = BASELINES.answer_of(name, task, case, "eager")
        torch.cuda.empty_cache()
        assert not found.wrong, found


def test_an_eager_that_rounds_in_between_is_wrong() -> None:
    task = catalog.load("loss/mse_loss")
    case = next(one for one in task.timings if one.params.get("reduction") == "none")
    narrow = type(case)(**{**vars(case), "params": {**case.params, "dtype": torch.bfloat16}})
    assert BASELINES.answer_of("loss/mse_loss", task, narrow, "eager").wrong
