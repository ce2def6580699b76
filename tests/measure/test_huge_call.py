"""The huge call with a smaller threshold: kernels that wrap fail, honest ones pass."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.core.huge import HugeResult, HugeState
from kernelbenchx.core.outcome import Reason
from kernelbenchx.measure import huge_call
from kernelbenchx.measure.huge_call import NO_CALL, NO_GPU, HugeCallJudge, judge_huge_call
from kernelbenchx.spec.huge_call import INT32
from kernelbenchx.worker.timing.submission_program import SubmissionProgram
from tiers import mark_slow
from timing_host import serving

THRESHOLD = 1 << 15
DECLARED = [name for name in catalog.names() if catalog.load(name).huge is not None]


def _judged(name: str, function: Callable[..., Any], seed: int = 5) -> HugeResult:
    with serving("entry 0", SubmissionProgram(function, "function"), trusted=False) as runner:
        return judge_huge_call(catalog.load(name), [runner], seed, "cpu", THRESHOLD)


def _wraps(modulus: int, read: bool) -> Callable[[torch.Tensor], torch.Tensor]:
    """relu whose index wraps when it reads, or when it writes."""

    def relu(input: torch.Tensor) -> torch.Tensor:
        index = torch.arange(input.numel()) % modulus
        if read:
            return torch.relu(input[index])
        result = torch.zeros_like(input)
        result[index] = torch.relu(input)
        return result

    return relu


def _first_rows(input: torch.Tensor, dim: int, *_rest: Any) -> torch.Tensor:
    """softmax of rows whose start is an index that wraps."""
    start = torch.arange(input.shape[0]) * input.shape[1] % THRESHOLD
    flat = torch.cat((input.flatten(), input.flatten()))
    rows = flat[start[:, None] + torch.arange(input.shape[1])]
    return torch.softmax(rows.float(), dim).to(input.dtype)


@pytest.mark.parametrize("name", mark_slow(DECLARED, fast=5))
def test_the_reference_passes(name: str) -> None:
    found = _judged(name, catalog.load(name).faithful)
    assert (found.state, found.detail) == (HugeState.PASSED, "")
    assert found.slices >= 8


@pytest.mark.parametrize("read", [True, False])
@pytest.mark.parametrize("modulus", [THRESHOLD, THRESHOLD + 512])
def test_an_index_that_wraps_fails(modulus: int, read: bool) -> None:
    found = _judged("activation/relu", _wraps(modulus, read))
    assert (found.state, found.reason) == (HugeState.FAILED, Reason.BAD_VALUES)
    assert found.process == "entry 0" and found.detail.endswith(" elements of a slice")
    assert found.detail.startswith("with more than 2^31 elements: out[")


def test_the_index_of_a_wrong_element_is_that_in_the_whole() -> None:
    found = _judged("activation/relu", _wraps(THRESHOLD, read=True))
    index = int(found.detail.partition("[")[2].partition("]")[0])
    assert THRESHOLD <= index < THRESHOLD + 4100


def test_rows_that_wrap_fail() -> None:
    found = _judged("math/softmax", _first_rows)
    assert (found.state, found.reason) == (HugeState.FAILED, Reason.BAD_VALUES)


def test_an_output_that_is_not_written_fails() -> None:
    """The room holds NaN: a result that never gets there is no right answer."""
    found = _judged("activation/relu", lambda input: torch.full_like(input, math.nan))
    assert found.reason is Reason.BAD_VALUES


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda x: torch.relu(x)[:-1], Reason.BAD_SHAPE),
        (lambda x: torch.relu(x).sum(), Reason.BAD_SHAPE),
        (lambda x: torch.relu(x).float(), Reason.MALFORMED),
        (lambda x: (torch.relu(x), x), Reason.MALFORMED),
        (lambda x: x.relu_(), Reason.INPUT_CHANGED),
    ],
)
def test_a_result_of_another_form_fails(answer: Callable[..., Any], reason: Reason) -> None:
    assert _judged("activation/relu", answer).reason is reason


def test_what_the_submission_raises_is_its_failure() -> None:
    def raises(_input: torch.Tensor) -> torch.Tensor:
        raise ValueError("too large for me")

    found = _judged("activation/relu", raises)
    assert (found.state, found.reason) == (HugeState.FAILED, Reason.RUNTIME_ERROR)
    assert "too large for me" in found.detail


@pytest.mark.parametrize(("room", "state"), [(1.5, HugeState.NOT_JUDGED), (4, HugeState.FAILED)])
def test_without_memory_it_is_judged_only_where_there_is_plenty(
    monkeypatch: pytest.MonkeyPatch, room: float, state: HugeState
) -> None:
    def raises(_input: torch.Tensor) -> torch.Tensor:
        raise torch.OutOfMemoryError("CUDA out of memory")

    need = 2 * 2 * 2 * (THRESHOLD + 4099)
    monkeypatch.setattr(huge_call, "free_bytes", lambda _device: room * need)
    found = _judged("activation/relu", raises)
    assert found.state is state
    assert "memory" in found.detail


def test_too_little_memory_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(huge_call, "free_bytes", lambda _device: 3.0)
    found = _judged("activation/relu", torch.relu)
    assert found.state is HugeState.NOT_JUDGED
    assert found.detail == "it needs 0 GB, 0 GB are free on the GPU"
    assert found.case == "shape=(36868,),dtype=float16"


def test_a_relu_at_full_size_needs_about_four_times_its_input() -> None:
    task = catalog.load("activation/relu")
    assert task.huge is not None
    need = HugeCallJudge(task, task.huge, 1, "cpu", "cuda")._needed_bytes()
    assert need == pytest.approx(4 * 2 * INT32, rel=1e-3)


def test_values_and_slices_follow_from_the_seed() -> None:
    task = catalog.load("activation/relu")
    assert task.huge is not None
    one, again, other = (
        HugeCallJudge(task, task.huge, seed, "cpu", "interpreter", THRESHOLD) for seed in (1, 1, 2)
    )
    assert one._places() == again._places() != other._places()
    (first,), (second,), (third,) = (x._draw_call().tensors() for x in (one, again, other))
    assert torch.equal(first, second) and not torch.equal(first, third)


def test_no_wrapped_index_reads_the_same_values() -> None:
    task = catalog.load("activation/relu")
    assert task.huge is not None
    (x,) = HugeCallJudge(task, task.huge, 1, "cpu", "interpreter", THRESHOLD)._draw_call().tensors()
    for power in range(10, 16):
        moved = x[: -(1 << power)]
        same = (x[1 << power :] == moved).double().mean()
        assert same < 0.05


def test_it_is_not_made_without_a_call_or_a_gpu() -> None:
    none = judge_huge_call(catalog.load("matrix_multiply/addmm"), [], 1, "cuda:0", INT32)
    assert (none.state, none.detail, none.case) == (HugeState.NOT_JUDGED, NO_CALL, "")
    host = judge_huge_call(catalog.load("activation/relu"), [], 1, "cpu", None)
    assert (host.state, host.detail) == (HugeState.NOT_JUDGED, NO_GPU)
