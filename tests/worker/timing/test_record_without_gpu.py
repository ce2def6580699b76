"""Witnesses recorded as on a card; all of them are in what scripts/replay_share.py prints."""

from typing import Any

import pytest

from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.submission import Submission
from kernelbenchx.replay.plan import Replayable
from kernelbenchx.replay.schema import ArgumentBuffer
from kernelbenchx.worker.frames import unpack
from spellings import spell


def _tried(recorder: Any, name: str) -> tuple[Replayable | None, str]:
    found: tuple[Replayable | None, str] = recorder.tried(
        Submission(name="witness", task=name, source=witness_source(name))
    )
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "launches"),
    [
        ("activation/gelu", 1),
        ("matrix_multiply/matmul_fp16", 1),
        ("quantization/matmul_w8a8", 3),
        ("reduce/std", 2),
        ("optimizer/AdamW", 1),
        ("linear_algebra/qr", 1),
    ],
)
def test_a_witness_becomes_a_plan_with_real_binaries(
    recorder: Any, name: str, launches: int
) -> None:
    found, obstacle = _tried(recorder, name)
    assert obstacle == "" and found is not None
    assert len(found.plan.launches) == launches
    assert any(isinstance(one, ArgumentBuffer) for one in found.plan.buffers)
    (frame,) = unpack(found.to_bytes())
    assert bytes(frame.payload)[:4] == b"\x7fELF"


@pytest.mark.slow
def test_a_kernel_in_another_spelling_becomes_the_same_plan(recorder: Any) -> None:
    source = spell("activation/leaky_relu", "reversed")
    own = Submission(name="own", task="activation/leaky_relu", source=source)
    found, obstacle = recorder.tried(own)
    assert obstacle == ""
    witness, _ = _tried(recorder, "activation/leaky_relu")
    assert found.plan.buffers == witness.plan.buffers if witness else False
    assert len(found.plan.launches) == 1


def test_a_witness_that_draws_random_numbers_cannot_be_replayed(recorder: Any) -> None:
    assert _tried(recorder, "random/rand") == (None, "draws random numbers")


READS = """
import torch, triton, triton.language as tl

@triton.jit
def copy(y, x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n), mask=at < n)

def relu(input, inplace=False):
    y = torch.zeros_like(input)
    copy[(1,)](y, input, input.numel(), BLOCK=64)
    {read}
    return y
"""


@pytest.mark.parametrize(
    ("read", "why"), [("y.flatten()[0].item()", "reads a value on the host"), ("pass", "")]
)
def test_a_wrapper_that_reads_what_a_kernel_wrote_says_so(
    recorder: Any, read: str, why: str
) -> None:
    """A kernel of ours and not masked_select: here no kernel runs, so what that one reads is what
    the memory held before, and some of it is no size of a tensor."""
    source = READS.replace("{read}", read)
    found, obstacle = recorder.tried(
        Submission(name="reads", task="activation/relu", source=source)
    )
    assert obstacle == why
    assert (found is None) == bool(why)


def test_what_a_submission_raises_is_its_own(recorder: Any) -> None:
    broken = Submission(name="broken", task="math/add", source="def add(*_, **__): return 1 / 0\n")
    found, why = recorder.tried(broken)
    assert found is None
    assert why == "raised ZeroDivisionError: division by zero"
