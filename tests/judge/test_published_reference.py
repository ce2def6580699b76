"""Published references under their own tests: they pass, and answers a little off do not."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.catalog.published_tests import published_test
from kernelbenchx.judge.published_comparison import compare_results
from kernelbenchx.judge.published_reference import published_reference
from kernelbenchx.worker.published_program import as_plain, run_program, seed_all

CHEAP = (
    "activation/relu_fp16",
    "activation/selu",
    "index/masked_select",
    "linear_algebra/qr",
    "math/rad2deg_sqrt",
    "optimizer/SGD",
    "pooling/adaptive_avg_pool2d",
    "quantization/matmul_w8a8",
    "random/rand",
    "reduce/min_gelu",
)


def results_of(name: str, entry: Callable[..., Any]) -> Any:
    test = published_test(name)
    assert test is not None
    seed_all()
    return as_plain(run_program(test.program, entry, "cpu"))


def shifted(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [shifted(one) for one in value]
    return value * 1.1 + 1 if isinstance(value, torch.Tensor) else value


def test_every_function_of_the_catalogue_has_one() -> None:
    assert all(published_reference(name) for name in catalog.function_names())
    assert published_reference("linear_algebra/lu") is None


@pytest.mark.parametrize("name", CHEAP)
def test_a_reference_passes_and_other_values_do_not(name: str) -> None:
    reference = published_reference(name)
    assert reference is not None
    thresholds = published_test(name).thresholds  # type: ignore[union-attr]
    wanted = results_of(name, reference)
    assert compare_results(results_of(name, reference), wanted, thresholds) is None
    off = results_of(name, lambda *args, **kwargs: shifted(reference(*args, **kwargs)))
    assert compare_results(off, wanted, thresholds) is not None


def test_the_published_selu_is_not_torch_s() -> None:
    published = results_of("activation/selu", published_reference("activation/selu"))  # type: ignore[arg-type]
    right = results_of("activation/selu", torch.selu)
    found = compare_results(right, published)
    assert found is not None
    assert found.key == "test_case_1"


def test_a_call_that_draws_less_shifts_the_inputs_of_later_calls() -> None:
    name = "fusion/fused_bmm_dropout_gelu"
    reference = published_reference(name)
    assert reference is not None

    def without_drawing(*args: Any, **kwargs: Any) -> Any:
        state = torch.get_rng_state()
        found = reference(*args, **kwargs)
        torch.set_rng_state(state)
        return found

    wanted = results_of(name, reference)
    assert compare_results(results_of(name, reference), wanted) is None
    assert compare_results(results_of(name, without_drawing), wanted) is not None


def test_only_an_optimizer_of_torch_has_the_defaults_that_adam_s_test_reads() -> None:
    wanted = results_of("optimizer/Adam", torch.optim.Adam)
    assert compare_results(results_of("optimizer/Adam", torch.optim.Adam), wanted) is None
    with pytest.raises(AttributeError):
        results_of("optimizer/Adam", lambda params, **_: params)
