"""On the card: launches need no C compiler where nothing is timed, and do the same."""

from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl

from kernelbenchx.runner.isolation import detect
from kernelbenchx.runner.scratch import Scratch, read_result
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.runner.zygote_process import Start
from kernelbenchx.worker.ctypes_launcher import without_modules
from kernelbenchx.worker.limits import Limits

pytestmark = pytest.mark.gpu

PROBE = Path(__file__).parent / "probes" / "no_c_compiler.py"
LIMITS = Limits(wall_s=120, cpu_s=120, memory_bytes=16 << 30)


def test_a_confined_child_builds_no_module() -> None:
    start = Start(main="no_c_compiler:serve", modules=(PROBE,))
    with Zygote("cuda", detect(), jobs=1, start=start) as zygote, Scratch() as scratch:
        order, result = scratch.order("scaled", b""), scratch.result("scaled")
        ending = zygote.run(order, result, LIMITS)
        assert ending.clean, ending
        assert read_result(result, limit_bytes=5) == b"right"


@triton.jit  # type: ignore[misc, untyped-decorator]
def _filled(out, n, a, b, flag, pair, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = a * place + b + pair[0] * 2 + pair[1] + tl.where(flag, 100, 0)
    tl.store(out + place, value.to(tl.float32), mask=place < n)


def _outputs(n: int) -> torch.Tensor:
    out = torch.zeros(3, n, device="cuda")
    grid = (triton.cdiv(n, 128),)
    _filled[grid](out[0], n, 0.25, 7, True, (3, 1.5), BLOCK=128)
    _filled[grid](out[1], n, 2**40, -1, False, (1, 0.5), BLOCK=128)
    _filled[grid](out[2], n, 1, 2**33, False, (2**35, -0.5), BLOCK=128, num_warps=8)
    return out


def test_both_ways_of_launching_give_the_same_bits() -> None:
    theirs = _outputs(1000)
    _filled.device_caches.clear()  # the launcher is kept with the compiled kernel
    with without_modules():
        ours = _outputs(1000)
    assert torch.equal(ours, theirs)
    assert theirs.any(1).all()


def test_host_memory_is_refused_with_the_same_words() -> None:
    with without_modules(), pytest.raises(ValueError, match="cpu tensor"):
        _filled[(1,)](torch.zeros(128), 128, 1.0, 2, True, (1, 2.0), BLOCK=128)
