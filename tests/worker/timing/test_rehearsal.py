"""Witnesses recorded as on a card; all of them are in what scripts/replay_share.py prints."""

from typing import Any

import pytest

from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.submission import Submission
from kernelbenchx.replay.plan import Replayable
from kernelbenchx.replay.schema import Argument
from kernelbenchx.worker.frames import unpack


def _tried(recorder: Any, name: str) -> tuple[Replayable | None, str]:
    found: tuple[Replayable | None, str] = recorder.tried(
        Submission(name="witness", task=name, source=witness_source(name))
    )
    return found


@pytest.mark.parametrize(
    ("name", "launches"),
    [
        ("activation/gelu", 1),
        ("matrix_multiply/matmul_fp16", 1),
        ("quantization/matmul_w8a8", 3),
        ("reduce/std", 5),
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
    assert any(isinstance(one, Argument) for one in found.plan.buffers)
    (frame,) = unpack(found.packed())
    assert bytes(frame.payload)[:4] == b"\x7fELF"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("random/rand", "draws random numbers"),
        ("index/masked_select", "reads a value on the host"),
    ],
)
def test_a_witness_that_cannot_be_replayed_says_why(recorder: Any, name: str, why: str) -> None:
    assert _tried(recorder, name) == (None, why)


def test_what_a_submission_raises_is_its_own(recorder: Any) -> None:
    broken = Submission(name="broken", task="math/add", source="def add(*_, **__): return 1 / 0\n")
    found, why = recorder.tried(broken)
    assert found is None
    assert why == "raised ZeroDivisionError: division by zero"
