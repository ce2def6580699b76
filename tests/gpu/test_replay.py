"""On the card: what is recorded there gives the same result without the submission's Python."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.replay.plan import Replayable, replayable
from kernelbenchx.spec.call import Call
from kernelbenchx.worker.order import Arguments
from kernelbenchx.worker.submission_loader import entry_of, load_python
from kernelbenchx.worker.timing.calls import _renew
from kernelbenchx.worker.timing.clocks import GpuClock
from kernelbenchx.worker.timing.launcher import CudaLauncher, LaunchFailed
from kernelbenchx.worker.timing.recording import record_call
from kernelbenchx.worker.timing.replay_program import ReplayProgram
from kernelbenchx.worker.timing.submission_program import SubmissionProgram
from kernelbenchx.worker.values import Geometry, dtype_name

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device"),
]

WITNESSES = [
    "activation/gelu_bf16",
    "matrix_multiply/matmul_fp16",
    "quantization/matmul_w8a8",
    "reduce/std",
    "optimizer/AdamW",
    "normalization/batch_norm",
    "linear_algebra/qr",
    "fusion/attention",
    "fusion/fused_layer_norm_relu_linear",
    "math/fftn",
]
TUNED = """
import torch
import triton
import triton.language as tl


@triton.autotune([triton.Config({"BLOCK": size}) for size in (256, 1024)], key=["n"])
@triton.jit
def _relu(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.maximum(tl.load(x + at, mask=at < n), 0.0), mask=at < n)


def relu(x):
    x = x.to(torch.float32)
    out = torch.full_like(x, -1.0)
    _relu[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, out, x.numel())
    return out
"""
SPILLS = """
import torch
import triton
import triton.language as tl


@triton.jit
def _product(a, b, out, N: tl.constexpr):
    row = tl.arange(0, N)
    at = row[:, None] * N + row[None, :]
    tl.store(out + at, tl.dot(tl.load(a + at), tl.load(b + at)))


def relu(x):
    out = torch.empty(128, 128, device=x.device)
    _product[(1,)](x, x, out, N=128)
    return out
"""

COUNTS = """
import torch
import triton
import triton.language as tl


@triton.jit
def _count(x, out, N: tl.constexpr):
    at = tl.arange(0, N)
    seen = tl.inline_asm_elementwise(
        "{ .global .align 4 .u32 state = 7; atom.global.add.u32 $0, [state], 1; }",
        "=r,r", [at], dtype=tl.int32, is_pure=False, pack=1,
    )
    tl.store(out + at, seen)


def relu(x):
    out = torch.empty(32, dtype=torch.int32, device=x.device)
    _count[(1,)](x, out, N=32, num_warps=1)
    return out
"""


class _Sizes:
    def __init__(self, arguments: Arguments) -> None:
        self.storages = [arguments.storages[n].numel() for n in range(len(arguments.storages))]


def _on_card(call: Call) -> Arguments:
    """The call's values in storages of the card, as a runner has them."""
    storages: dict[int, torch.Tensor] = {}
    known: dict[int, int] = {}

    def moved(tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        index = known.setdefault(storage.data_ptr() or -len(known) - 1, len(known))
        if index not in storages:
            whole = torch.empty(0, dtype=torch.uint8).set_(storage)
            storages[index] = whole.cuda()
        described = {
            "dtype": dtype_name(tensor.dtype),
            "shape": list(tensor.shape),
            "strides": list(tensor.stride()),
            "offset": tensor.storage_offset(),
        }
        return Geometry.of(described).over(storages[index])

    there = call.concrete("cuda").map_tensors(moved)
    return Arguments(there.args, dict(there.kwargs), there.init, dict(there.state), storages)


def _calls(name: str) -> Iterator[Call]:
    task = catalog.load(name)
    case = max(task.cases(0), key=lambda one: task.cost(**one.params).bytes)
    for seed in (1, 2, 3):
        yield task.draw(case, seed)


def _leaves(result: Any) -> list[torch.Tensor]:
    if isinstance(result, torch.Tensor):
        return [result]
    items = result.values() if isinstance(result, dict) else result
    return [leaf for item in items for leaf in _leaves(item)]


def _recorded(program: SubmissionProgram, calls: list[Call]) -> Replayable:
    bodies = []
    for call in calls[:2]:
        arguments = _on_card(call)
        program.bind(arguments)()  # compiles, and tunes where there is something to tune
        bodies.append(record_call(program.bind(arguments), arguments)[1])
    found, obstacle = replayable(bodies[0], bodies[1], _Sizes(arguments))
    assert found is not None, obstacle
    return found


def _compared(program: SubmissionProgram, calls: list[Call]) -> None:
    replay = ReplayProgram(CudaLauncher())
    replay.load({}, _recorded(program, calls).to_bytes())
    arguments, theirs = _on_card(calls[2]), _on_card(calls[2])
    expected = _leaves(program.bind(theirs)())
    bound = replay.bind(arguments)
    once = _leaves(bound())
    torch.cuda.synchronize()
    assert len(once) == len(expected) > 0
    for mine, direct in zip(once, expected, strict=True):
        assert (mine.dtype, mine.shape, mine.stride()) == (
            direct.dtype,
            direct.shape,
            direct.stride(),
        )
        torch.testing.assert_close(mine, direct, rtol=1e-5, atol=1e-5, equal_nan=True)
    for number, storage in arguments.storages.items():  # also what is written in place
        torch.testing.assert_close(storage, theirs.storages[number])


@pytest.mark.parametrize("name", WITNESSES)
def test_a_witness_gives_the_same_result_without_its_python(name: str, tmp_path: Path) -> None:
    module = load_python(witness_source(name), tmp_path)
    task = catalog.load(name)
    _, entry = entry_of(module, [task.entry])
    _compared(SubmissionProgram(entry, task.form), list(_calls(name)))


@pytest.mark.parametrize(
    ("source", "size"), [(TUNED, 100_003), (SPILLS, 128 * 128)], ids=["tuned", "much shared memory"]
)
def test_wrappers_of_other_kinds(source: str, size: int, tmp_path: Path) -> None:
    program = SubmissionProgram(load_python(source, tmp_path).relu, "function")
    _compared(program, [Call(args=(torch.randn(size),)) for _ in range(3)])


def test_the_time_of_a_call_is_known_by_its_steps(tmp_path: Path) -> None:
    program = SubmissionProgram(load_python(TUNED, tmp_path).relu, "function")
    calls = [Call(args=(torch.randn(1 << 22, dtype=torch.float16),)) for _ in range(2)]
    replay = ReplayProgram(CudaLauncher())
    replay.load({}, _recorded(program, calls).to_bytes())
    bound: Any = replay.bind(_on_card(calls[0]))
    bound()
    clock = GpuClock(torch.device("cuda:0"))
    whole = min(clock.time_queued([bound] * 4).us for _ in range(3))
    parts = min((clock.parts_us([bound.parts] * 4) for _ in range(3)), key=sum)
    assert len(parts) == 3 and min(parts) > 0.0  # a copy to another dtype, a fill, a kernel
    assert 0.5 * whole < sum(parts) < 2.0 * whole


def test_a_captured_replay_computes_on_what_lies_there_now(tmp_path: Path) -> None:
    program = SubmissionProgram(load_python(TUNED, tmp_path).relu, "function")
    calls = [Call(args=(torch.randn(4096, dtype=torch.float16),)) for _ in range(3)]
    replay = ReplayProgram(CudaLauncher())
    replay.load({}, _recorded(program, calls).to_bytes())
    slots = [_on_card(call) for call in calls]
    bound = [replay.bind(arguments) for arguments in slots]
    for call in bound:
        call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        results = [call() for call in bound]
    for arguments, result in zip(slots, results, strict=True):
        arguments.args[0].copy_(torch.randn(4096))
        result.fill_(float("nan"))
    graph.replay()
    torch.cuda.synchronize()
    for arguments, result in zip(slots, results, strict=True):
        torch.testing.assert_close(result, arguments.args[0].float().relu())


def test_a_block_finds_neither_variables_nor_outputs_of_an_earlier_one(tmp_path: Path) -> None:
    program = SubmissionProgram(load_python(COUNTS, tmp_path).relu, "function")
    calls = [Call(args=(torch.randn(32),)) for _ in range(2)]
    replay = ReplayProgram(CudaLauncher())
    replay.load({}, _recorded(program, calls).to_bytes())
    bound = replay.bind(_on_card(calls[0]))
    for first in (7, 7):
        _renew([bound])
        assert sorted(bound().tolist()) == list(range(first, first + 32))
    assert min(bound().tolist()) == 7 + 32  # within a block it does count
    _renew([bound])
    assert len(bound.own) == 2  # type: ignore[attr-defined]
    for memory, new in bound.own:  # type: ignore[attr-defined]
        assert bool((memory == new).all())


def test_bytes_that_are_no_binary_are_refused_by_the_driver_too() -> None:
    with pytest.raises(LaunchFailed, match="cuModuleLoadData"):
        CudaLauncher().kernel(b"\x7fELF" + bytes(200), "_relu", 0)
