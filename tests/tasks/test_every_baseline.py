"""What submissions are timed against: torch's own call at the dtype of the case, in one graph.

Its answers are judged in float64, rounded once: how a library rounds float32 and 16 bits differs
from one processor to another, and what a card does with them is seen on a card alone.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
import torch._dynamo
import torch.nn.attention
from torch._dynamo.utils import counters
from torch.utils._python_dispatch import TorchDispatchMode

from kernelbenchx import catalog
from kernelbenchx.core.outcome import Wrong
from kernelbenchx.judge.correctness import Passed, judge_case, truth_of
from kernelbenchx.spec import Case, Quantized, Uniform
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.outputs import CallResult
from kernelbenchx.spec.task import Outputs, Task
from tiers import mark_slow

WITH_EAGER = [name for name in catalog.names() if catalog.load(name).eager is not None]
RANDOM = [name for name in catalog.names() if catalog.load(name).randomness != "none"]
BREAKS = {
    "index/masked_select": "how many elements there are depends on values",
    "math/fftn": "not torch.fft on the host, where the reference is a product of matrices",
    "normalization/spectral_norm_eig": "it reads a value, so that no CUDA graph is made of it",
    "random/rand": "torch does not compile calls that are given a generator",
}
"""Whose baseline is not one graph here, and why."""
IN_FLOAT32 = "its product stays in float32: rounded to 16 bits, its own answer would be wrong"
WIDENS = {
    "activation/combined_activation": IN_FLOAT32,
    "quantization/linear_w4a16": "its statement has the weight quantised in float32",
    "fusion/fused_bmm_dropout_gelu": IN_FLOAT32,
    "fusion/fused_layer_norm_relu_linear": IN_FLOAT32,
    "spatial_ops/grid_sample_with_affine": "places that are rounded to 16 bits lie elsewhere",
}
"""Whose baseline computes in float32 from 16 bits, and why."""
SIXTEEN = (torch.float16, torch.bfloat16)


@pytest.fixture(autouse=True)
def plain_kernels() -> Iterator[None]:
    """oneDNN sums 16-bit products in 16 bits on some processors, and warns on others.

    The public switch sets more, and warns of it.
    """
    before = torch._C._get_mkldnn_enabled()
    torch._C._set_mkldnn_enabled(False)
    yield
    torch._C._set_mkldnn_enabled(before)


def _verdict(task: Task, case: Case, function: Callable[..., Any]) -> Passed | Wrong:
    """Values in float64, rounded once; shapes, dtypes and aliases as the function gives them."""
    drawn = task.draw(case, 1)
    returned = []
    for number in range(task.calls(case)):
        given = drawn.repeat(number).copy().concrete()
        outputs = _run(task, function, given, number)
        # A scheme of integers and numbers drawn at random are what they are in their own dtype.
        if not isinstance(task.contract, Quantized | Uniform):
            wide = drawn.repeat(number).widen().concrete()
            exact = _run(task, function, wide, number)
            for leaf, true in zip(outputs.leaves, exact.leaves, strict=True):
                leaf.value.copy_(true.value)
        leaves = tuple(leaf.value for leaf in outputs.leaves[: outputs.returned])
        result = leaves[0] if len(leaves) == 1 else leaves
        returned.append(CallResult(result, given, outputs.aliases))
    return judge_case(task, case, drawn, returned, "cuda", truth_of(task, drawn))


def _core_cases(task: Task) -> list[Case]:
    """What is timed is ordinary, and so is what it is timed against."""
    return [case for case in task.cases(0) if not case.needs]


def _run(task: Task, function: Callable[..., Any], given: Call, number: int) -> Outputs:
    torch.manual_seed(number)
    # Flash attention on the host loses NaN beside masked places in some versions.
    with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
        return task.outputs(function, given)


@pytest.mark.filterwarnings("ignore:Using padding='same'", "ignore:Default grid_sample")
@pytest.mark.parametrize("name", mark_slow(WITH_EAGER, fast=6))
def test_eager_computes_what_the_task_says(name: str) -> None:
    task = catalog.load(name)
    for case in _core_cases(task):
        assert isinstance(_verdict(task, case, task.baseline), Passed), case.name


@pytest.mark.parametrize("name", mark_slow(RANDOM, fast=1))
def test_in_wide_numbers_what_is_drawn_at_random_keeps_the_law(name: str) -> None:
    """All other references are judged with their certificates."""
    task = catalog.load(name)
    for case in task.cases(0):
        assert isinstance(_verdict(task, case, task.faithful), Passed), case.name


def test_only_tasks_of_the_catalogue_are_named() -> None:
    assert set(BREAKS) | set(WIDENS) <= set(catalog.names())


@pytest.mark.parametrize(
    "name", [name for name in WITH_EAGER if catalog.load(name).randomness == "randint"]
)
def test_a_reference_that_leaves_draws_out_is_not_timed_against(name: str) -> None:
    task = catalog.load(name)
    case = max(_core_cases(task), key=lambda one: task.cost(**one.params).bytes)
    assert isinstance(_verdict(task, case, task.baseline), Passed)
    assert isinstance(_verdict(task, case, task.reference), Wrong)


def _like(task: Task, timing: Case) -> Case:
    """The ordinary check that is most like a timing case, which is too large for the host."""

    def alike(check: Case) -> tuple[bool, int, int]:
        dtype = timing.params.get("dtype") == check.params.get("dtype")
        same = sum(timing.params.get(name) == one for name, one in check.params.items())
        return dtype, same, -len(check.params.keys() ^ timing.params.keys())

    return max(_core_cases(task), key=alike)


class Widened(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Counts tensors of 16 bits that are turned into wider ones."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.count: int = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if func is torch.ops.aten._to_copy.default and args[0].dtype in SIXTEEN:
            self.count += result.dtype in (torch.float32, torch.float64)
        return result


def _widened(task: Task, case: Case, function: Callable[..., Any]) -> int:
    given = task.draw(case, 1).copy().concrete()
    found = Widened()
    with found:
        function(*given.args, **given.kwargs)
    return found.count


@pytest.mark.filterwarnings("ignore:Default grid_sample")
@pytest.mark.parametrize("name", mark_slow(catalog.function_names(), fast=12))
def test_what_is_timed_computes_in_the_dtype_of_the_case(name: str) -> None:
    task = catalog.load(name)
    for case in (_like(task, timing) for timing in task.timings):
        assert not _widened(task, case, task.baseline) or name in WIDENS, case.name


@pytest.mark.parametrize("name", ["convolution/conv2d", "fusion/attention"])
def test_a_reference_may_compute_in_wider_numbers(name: str) -> None:
    task = catalog.load(name)
    case = next(case for case in _core_cases(task) if case.params["dtype"] == torch.float16)
    assert _widened(task, case, task.reference) > 1


def _graphs(function: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[int, list[str]]:
    """How many graphs torch makes of a call, and why it is not one."""
    torch._dynamo.reset()
    counters.clear()
    torch.compile(function, backend="eager", dynamic=False)(*args, **kwargs)
    return counters["stats"]["unique_graphs"], list(counters["graph_break"])


@pytest.mark.filterwarnings("ignore:Default grid_sample")
@pytest.mark.parametrize("name", mark_slow(catalog.function_names(), fast=6))
def test_what_is_timed_is_one_graph_unless_torch_cannot(name: str) -> None:
    task = catalog.load(name)
    found = set()
    for case in {_like(task, timing).name: _like(task, timing) for timing in task.timings}.values():
        given = task.draw(case, 1).copy().concrete()
        graphs, reasons = _graphs(task.baseline, *given.args, **given.kwargs)
        found.add(graphs == 1 and not reasons)
    assert found == {name not in BREAKS}


def test_a_function_that_torch_cannot_follow_is_not_one_graph() -> None:
    def product(x: torch.Tensor) -> torch.Tensor:
        torch._dynamo.graph_break()
        return x * x

    _, reasons = _graphs(product, torch.ones(2))
    assert reasons
    assert _graphs(lambda x: x * x, torch.ones(2)) == (1, [])
