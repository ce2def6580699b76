"""Calls written down with kernels compiled for a card that is not there, and replayed by a fake."""

import struct
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from kernelbenchx.core.submission import Submission
from kernelbenchx.replay.plan import Replayable
from kernelbenchx.replay.schema import (
    Allocation,
    ArgumentBuffer,
    Copy,
    Fill,
    LaunchStep,
    Number,
    Pointer,
)
from kernelbenchx.spec.call import call
from kernelbenchx.worker.order import Arguments
from kernelbenchx.worker.timing.recorded_memory import NotReplayable
from kernelbenchx.worker.timing.recording import _check_launch, record_call, record_untuned
from kernelbenchx.worker.timing.replay_program import ReplayProgram
from replay_samples import FakeLauncher, floats

HEADER = """\
import torch
import triton
import triton.language as tl


@triton.jit
def _scale(x, work, n, factor, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(work + at, tl.load(x + at, mask=at < n) * factor, mask=at < n)


@triton.jit
def _total(work, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(work + at, mask=at < n, other=0.0)))


def plain(x, scale=2.0):
    out = torch.empty_like(x)
    _scale[(triton.cdiv(x.numel(), 64),)](x, out, x.numel(), scale, BLOCK=64)
    return out
"""
TWO_KERNELS = """
def relu(x):
    wide, n = x.to(torch.float32), x.numel()
    out = torch.zeros(1, device=x.device)
    unused = torch.empty(1000, device=x.device)
    work = torch.empty_like(wide)
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    _scale[grid](wide, work, n, 2.5, BLOCK=64)
    _total[grid](work, out, n, BLOCK=64)
    return {"sum": out.view(()), "parts": (work[:2], n)}
"""


def _submission(source: str) -> Submission:
    return Submission(name="sample", task="activation/relu", source=HEADER + source)


def _tried(recorder: Any, source: str, *inputs: torch.Tensor) -> tuple[Replayable | None, str]:
    torch.manual_seed(0)
    calls = [call(x) for x in inputs or (torch.randn(200), torch.randn(200))]
    found: tuple[Replayable | None, str] = recorder.tried_on(_submission(source), calls)
    return found


def _plan(recorder: Any, source: str, *inputs: torch.Tensor) -> Replayable:
    found, obstacle = _tried(recorder, source, *inputs)
    assert obstacle == "" and found is not None
    return found


def test_a_wrapper_with_a_cast_a_fill_two_launches_and_a_workspace(recorder: Any) -> None:
    halves = [torch.randn(200, dtype=torch.float16) for _ in range(2)]
    plan = _plan(recorder, TWO_KERNELS, *halves).plan
    cast, fill, scale, total = plan.steps
    assert isinstance(cast, Copy) and isinstance(fill, Fill)
    assert isinstance(scale, LaunchStep) and isinstance(total, LaunchStep)
    assert (cast.source.dtype, cast.target.dtype) == ("float16", "float32")
    assert scale.grid == (4, 1, 1) and scale.warps == 4
    assert [type(one) for one in scale.parameters] == [Pointer, Pointer, Number, Number]
    assert scale.parameters[2:] == (Number("i32", 200), Number("fp32", "0x1.4000000000000p+1"))
    sizes = [(type(one), one.nbytes) for one in plan.buffers]
    assert sizes == [(ArgumentBuffer, 400), (Allocation, 800), (Allocation, 4), (Allocation, 800)]


def test_its_replay_gives_the_right_result(recorder: Any) -> None:
    halves = [torch.randn(200, dtype=torch.float16) for _ in range(2)]
    found = _plan(recorder, TWO_KERNELS, *halves)

    def scale(_grid: Any, x: bytes, work: bytes, n: bytes, factor: bytes, *_: bytes) -> None:
        count = struct.unpack("<i", n)[0]
        floats(work, count)[:] = floats(x, count) * struct.unpack("<f", factor)[0]

    def total(_grid: Any, work: bytes, out: bytes, n: bytes, *_: bytes) -> None:
        floats(out, 1)[:] += floats(work, struct.unpack("<i", n)[0]).sum()

    program = ReplayProgram(
        FakeLauncher(_scale=((8, 8, 4, 4, 8, 8), scale), _total=((8, 8, 4, 8, 8), total))
    )
    program.load({}, found.to_bytes())
    for x in (halves[0], torch.ones(200, dtype=torch.float16)):
        storage = x.view(torch.uint8).clone()
        result = program.bind(Arguments((), {}, (), {}, {0: storage}))()
        expected = x.float() * 2.5
        torch.testing.assert_close(result["sum"], expected.sum())
        torch.testing.assert_close(result["parts"][0], expected[:2])
        assert result["parts"][1] == 200


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("def relu(x): return plain(x) @ x", "torch operator aten.dot"),
        ("def relu(x): return plain(x) + 1", "torch operator aten.add"),
        ("def relu(x): return plain(x[: abs(int(x[0].item())) + 1])", "reads a value"),
        ("def relu(x): return plain(torch.rand_like(x))", "draws random numbers"),
        ("KEPT = torch.ones(200)\ndef relu(x): return plain(KEPT)", "not made in this call"),
        ("def relu(x): return plain(torch.tensor([1.0, 2.0]))", "from numbers of the host"),
        ("def relu(x): return str(plain(x).device), object()", "returns a object"),
        (
            "@triton.jit\ndef _at(n, y):\n    tl.store(y, n)\n"
            "def relu(x):\n    _at[(1,)](x.data_ptr(), x)\n    return x",
            "passes an address as a number",
        ),
        (
            "def relu(x):\n    out = torch.empty_like(x)\n"
            "    _scale[(1,)](x, out, 200, 2.0, BLOCK=64, num_ctas=2)\n    return out",
            "clusters of blocks",
        ),
        (
            "def relu(x):\n    out = torch.empty_like(x)\n"
            "    _scale[(1,)](x, out, 200, 2.0, BLOCK=64, launch_cooperative_grid=True)\n"
            "    return out",
            "a cooperative launch",
        ),
        (
            "def relu(x):\n    out = torch.empty_like(x)\n"
            "    _scale[(1,)](x, out, 200, 2.0, BLOCK=64, launch_pdl=True)\n    return out",
            "starts before the last one ended",
        ),
        (
            "import threading\ndef relu(x):\n    out = []\n"
            "    thread = threading.Thread(target=lambda: out.append(plain(x)))\n"
            "    thread.start()\n    thread.join()\n    return out[0]",
            "another thread",
        ),
        (
            "def relu(x):\n    triton.knobs.runtime.launch_enter_hook.add(print)\n"
            "    return plain(x)",
            "runs host code at every launch",
        ),
        (
            "from triton.tools.tensor_descriptor import TensorDescriptor\n"
            "@triton.jit\ndef _first(d, out):\n    at = tl.arange(0, 16)\n"
            "    tl.store(out + at, tl.reshape(d.load([0, 0]), (16,)))\n"
            "def relu(x):\n    out = torch.empty(16)\n"
            "    d = TensorDescriptor(x[:192].view(12, 16), [12, 16], [16, 1], [1, 16])\n"
            "    _first[(1,)](d, out)\n    return out",
            "a tensor descriptor",
        ),
    ],
)
def test_what_cannot_be_replayed_has_a_reason(recorder: Any, source: str, why: str) -> None:
    found, obstacle = _tried(recorder, source)
    assert found is None
    assert why in obstacle


def test_a_scalar_that_comes_from_a_value_by_the_back_door_is_found(recorder: Any) -> None:
    source = "import ctypes\ndef relu(x):\n    first = ctypes.c_float.from_address(x.data_ptr())\n"
    source += "    return plain(x, float(first.value))"
    found, obstacle = _tried(recorder, source)
    assert (found, obstacle) == (None, "launches depend on values")


def test_only_the_last_launch_of_an_autotuned_kernel_counts(recorder: Any) -> None:
    source = """
tuned = triton.autotune(
    [triton.Config({"BLOCK": size}) for size in (32, 64)], key=["n"], reset_to_zero=["work"]
)(_scale)

def relu(x):
    out = torch.empty_like(x)
    tuned[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, out, x.numel(), 2.0)
    return out
"""
    found = _plan(recorder, source)
    assert [type(step) for step in found.plan.steps] == [LaunchStep]


def test_constants_and_numbers_equal_to_one_are_no_parameters(recorder: Any) -> None:
    source = """
@triton.jit
def _strided(x, out, stride, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at * stride, tl.load(x + at * stride, mask=at < n), mask=at < n)

def relu(x):
    out = torch.empty_like(x)
    _strided[(1,)](x, out, x.stride(0), x.numel(), BLOCK=256)
    return out
"""
    (launch,) = _plan(recorder, source).plan.launches
    assert len(launch.parameters) == 3


def test_a_pointer_into_the_middle_keeps_its_offset_and_alignment(recorder: Any) -> None:
    source = "def relu(x):\n    out = torch.empty_like(x)\n"
    source += "    _scale[(1,)](x[1:], out[4:], 60, 2.0, BLOCK=64)\n    return out"
    (launch,) = _plan(recorder, source).plan.launches
    first, second = launch.parameters[:2]
    assert isinstance(first, Pointer) and isinstance(second, Pointer)
    assert (first.offset, first.aligned) == (4, False)
    assert (second.offset, second.aligned) == (16, True)


def test_an_empty_grid_is_no_launch(recorder: Any) -> None:
    assert _plan(recorder, "relu = plain", torch.ones(0), torch.ones(0)).plan.steps == ()


def test_a_profiled_kernel_is_a_reason() -> None:
    """Its scratch memory comes from a profiler, not from an option of a launch."""
    _check_launch(SimpleNamespace(profile_scratch_size=0), (None, None))
    with pytest.raises(NotReplayable, match="a profiled kernel"):
        _check_launch(SimpleNamespace(profile_scratch_size=128), (None, None))


@pytest.mark.parametrize(
    ("interpret", "why"), [("1", "kernels are interpreted, not compiled"), ("0", "")]
)
def test_that_kernels_are_interpreted_is_a_reason(
    monkeypatch: pytest.MonkeyPatch, interpret: str, why: str
) -> None:
    monkeypatch.setenv("TRITON_INTERPRET", interpret)
    assert record_untuned(lambda: None, Arguments((), {}, (), {}, {})).obstacle == why


def test_a_generator_among_the_arguments_is_a_reason() -> None:
    arguments = Arguments((torch.Generator(),), {}, (), {}, {})
    assert record_untuned(lambda: None, arguments).obstacle == "draws random numbers"
    read = record_untuned(lambda: torch.ones(1).item(), arguments)
    assert read.obstacle == "draws random numbers, reads a value on the host"


def test_a_graph_is_a_reason_also_where_it_launches_nothing() -> None:
    def call() -> None:
        with pytest.raises((AttributeError, TypeError)):  # there is no graph without a card
            torch.cuda.CUDAGraph.replay(object())  # type: ignore[arg-type]

    header, _ = record_call(call, Arguments((), {}, (), {}, {}))
    assert header == {"obstacle": "uses a CUDA graph"}


def test_what_a_submission_raises_goes_on() -> None:
    def call() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        record_untuned(call, Arguments((), {}, (), {}, {}))
