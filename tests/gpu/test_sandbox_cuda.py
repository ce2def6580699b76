"""A Triton kernel runs on the card from a child at the highest level of isolation."""

import signal
import struct
from array import array
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kernelbenchx.runner.isolation import detect
from kernelbenchx.runner.scratch import Scratch, read_result
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.runner.zygote_process import Start
from kernelbenchx.worker.limits import Limits

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not Path("/dev/nvidia0").exists(), reason="no NVIDIA card"),
]

PROBE = Path(__file__).parent / "probes" / "vector_add.py"
LIMITS = Limits(wall_s=120, cpu_s=120, memory_bytes=16 << 30)


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    start = Start(main="vector_add:serve", modules=(PROBE,))
    with Zygote("cuda", detect(), jobs=4, start=start) as zygote:
        yield zygote


def test_a_kernel_compiles_and_runs_in_a_confined_child(zygote: Zygote) -> None:
    with Scratch() as scratch:
        for n in (1000, 4097):  # a masked tail in each
            order, result = scratch.order("add", struct.pack("<I", n)), scratch.result("add")
            ending = zygote.run(order, result, LIMITS)
            assert ending.clean, ending
            values = array("f", read_result(result, limit_bytes=4 * n))
            assert values.tolist() == [i + 0.5 for i in range(n)]


def test_a_child_that_is_ended_while_it_begins_leaves_the_card_working(zygote: Zygote) -> None:
    with Scratch() as scratch:
        order, result = scratch.order("add", struct.pack("<I", 1000)), scratch.result("add")
        ending = zygote.run(order, result, replace(LIMITS, wall_s=0.05))
        assert (ending.over, ending.signal) == ("wall", signal.SIGKILL)
        assert zygote.run(order, result, LIMITS).clean
