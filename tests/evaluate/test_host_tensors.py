"""A kernel that is launched on host memory breaks without a GPU as it does on one."""

import pytest

from kernelbenchx.core.outcome import Broken, Correct, Reason
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.pipeline import Pipeline

SOURCE = """import torch
import triton
import triton.language as tl

BOUND = torch.zeros(1)


@triton.jit
def kernel(x, y, bound, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(y + at, tl.where(v < tl.load(bound), 0.0, v), mask=at < n)


def relu(input, inplace=False):
    x = input.contiguous()
    y = RESULT
    if n := x.numel():
        kernel[(triton.cdiv(n, 256),)](x, y, TABLE, n, BLOCK=256)
    return input.copy_(y) if inplace else y
"""
THERE = "torch.empty(x.shape, dtype=x.dtype, device=x.device)"
HERE = "torch.empty(x.shape, dtype=x.dtype)"


@pytest.mark.parametrize(
    ("result", "table", "refused"),
    [
        (THERE, "BOUND.to(x.device)", ""),
        (THERE, "BOUND.pin_memory()", ""),
        (f"{HERE}.cuda()", "torch.zeros(1, device='cuda')", ""),
        (THERE, "BOUND", "(at 2)"),
        (THERE, "torch.zeros(1, device='cuda').cpu()", "(at 2)"),
        (HERE, "BOUND.to(x.device)", "(at 1)"),
    ],
)
def test_a_launch_on_host_memory_is_refused_and_on_copies_of_it_is_not(
    pipeline: Pipeline, result: str, table: str, refused: str
) -> None:
    source = SOURCE.replace("RESULT", result).replace("TABLE", table)
    outcome = pipeline.evaluate(Submission(name="s", task="activation/relu", source=source)).outcome
    if not refused:
        assert isinstance(outcome, Correct), outcome
        return
    assert isinstance(outcome, Broken) and outcome.reason is Reason.RUNTIME_ERROR
    assert f"ValueError: Pointer argument {refused} cannot be accessed" in outcome.detail
