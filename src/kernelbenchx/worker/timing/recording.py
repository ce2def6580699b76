"""Records what one call of a submission does, as a plan that needs none of its Python.

Runs beside the submission, which could forge every line: a plan is a claim, and its results are
judged. It can only contain what the schema allows: memory, numbers, copies, launches.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import torch

from ..frames import pack
from ..order import Arguments
from ..values import encode
from .operator_steps import OperatorSteps
from .recorded_memory import NotReplayable, RecordedMemory
from .recorded_steps import RecordedSteps

_WHOLE = {"i1", "i8", "i16", "i32", "i64", "u1", "u8", "u16", "u32", "u64"}
_FLOATING = {"fp16": "fp16", "bf16": "bf16", "fp32": "fp32", "f32": "fp32", "fp64": "fp64"}
_UNRECORDED = {
    "launch_cooperative_grid": "a cooperative launch",
    "launch_pdl": "a launch that starts before the last one ended",
    "profile_scratch_size": "a profiled kernel",
}
_SPECIAL = {"device", "other"}


@dataclass(frozen=True)
class Recording:
    """A plan with its binaries, or why there is none."""

    plan: dict[str, Any] | None = None
    cubins: dict[str, bytes] = field(default_factory=dict)
    """By the SHA-256 of their bytes."""
    obstacle: str = ""


def record_call(call: Callable[[], Any], arguments: Arguments) -> tuple[dict[str, Any], bytes]:
    """Record a call: the obstacle, if any, and one frame with the plan and its binaries."""
    recording = record_untuned(call, arguments)
    if recording.plan is None:
        said = {"obstacle": recording.obstacle}
        return said, pack(said)
    return {"obstacle": ""}, pack({"plan": recording.plan}, b"".join(recording.cubins.values()))


def record_untuned(call: Callable[[], Any], arguments: Arguments) -> Recording:
    """Make the call once and record it; what the submission raises reaches the caller.

    A call in which Triton measured configurations differs from the next one: it is made once more.
    """
    for _ in range(2):
        notes, result = _call_watched(call, arguments)
        if not notes.tuned:
            break
    if not notes.obstacle:
        try:
            return _assemble_plan(notes, encode(result, _leaf(notes.memory)))
        except NotReplayable as why:
            notes.refuse(str(why))
    return Recording(obstacle=notes.obstacle)


def _call_watched(call: Callable[[], Any], arguments: Arguments) -> tuple[RecordedSteps, Any]:
    notes = RecordedSteps(RecordedMemory(arguments.storages), _current_stream())
    given = [*arguments.args, *arguments.kwargs.values()]
    if any(isinstance(value, torch.Generator) for value in given):
        notes.refuse("draws random numbers")
    with _watching(notes), OperatorSteps(notes):
        result = call()
    return notes, result


def _current_stream() -> Callable[[], int]:
    """A function that returns the stream of new work; without a GPU there is only one."""
    if not torch.cuda.is_available():
        return lambda: 0
    return lambda: int(torch.cuda.current_stream().cuda_stream)


@contextmanager
def _watching(notes: RecordedSteps) -> Iterator[None]:
    """Watch every launch, however it is made, and know which of them only measure."""
    from triton import knobs
    from triton.compiler.compiler import CompiledKernel
    from triton.runtime.autotuner import Autotuner

    if knobs.runtime.interpret:
        notes.refuse("kernels are interpreted, not compiled")
    launcher, measured = CompiledKernel.run, Autotuner._bench

    def run(kernel: Any) -> Callable[..., Any]:
        launch = launcher.__get__(kernel)

        def launch_and_note(x: int, y: int, z: int, stream: int, *rest: Any) -> Any:
            done = launch(x, y, z, stream, *rest)
            notes.note(lambda: _launch(kernel, (x, y, z), rest, notes), stream)
            return done

        return launch_and_note

    def bench(self: Any, *args: Any, **kwargs: Any) -> Any:
        notes.paused, notes.tuned = notes.paused + 1, True
        try:
            return measured(self, *args, **kwargs)
        finally:
            notes.paused -= 1

    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(CompiledKernel, "run", property(run)))
        stack.enter_context(mock.patch.object(Autotuner, "_bench", bench))
        for name in ("capture_begin", "replay"):
            graph = _refusing(notes, getattr(torch.cuda.CUDAGraph, name))
            stack.enter_context(mock.patch.object(torch.cuda.CUDAGraph, name, graph))
        yield


def _refusing(notes: RecordedSteps, original: Callable[..., Any]) -> Callable[..., Any]:
    def refuse_graph(*args: Any, **kwargs: Any) -> Any:
        notes.refuse("uses a CUDA graph")
        return original(*args, **kwargs)

    return refuse_graph


def _launch(
    kernel: Any, grid: Sequence[int], rest: Sequence[Any], notes: RecordedSteps
) -> dict[str, Any] | None:
    """`rest`: function, two kinds of metadata and two hooks, then the kernel's arguments."""
    sides = [int(side) for side in grid]
    if min(sides) <= 0:
        return None  # a GPU skips a grid with nothing in it
    metadata = kernel.metadata
    _check_launch(metadata, rest[3:5])
    if "cubin" not in kernel.asm:
        raise NotReplayable("a kernel that is not compiled for CUDA")
    scratch = int(getattr(metadata, "global_scratch_size", 0) or 0)
    return {
        "t": "launch",
        "cubin": notes.keep(bytes(kernel.asm["cubin"])),
        "kernel": str(metadata.name),
        "grid": sides,
        "warps": int(metadata.num_warps),
        "shared": int(metadata.shared),
        "scratch": scratch,
        "parameters": list(_parameters(kernel.src.signature.values(), rest[5:], notes.memory)),
    }


def _check_launch(metadata: Any, hooks: Sequence[Any]) -> None:
    for name, reason in _UNRECORDED.items():
        if getattr(metadata, name, False):
            raise NotReplayable(reason)
    blocks = [getattr(metadata, "num_ctas", 1), *(getattr(metadata, "cluster_dims", None) or ())]
    if any(number != 1 for number in blocks):
        raise NotReplayable("a launch of clusters of blocks")
    if any(_is_set(hook) for hook in hooks):
        raise NotReplayable("runs host code at every launch")


def _is_set(hook: Any) -> bool:
    """Whether a hook is set: Triton passes None or an empty chain where it is not."""
    return hook is not None and bool(getattr(hook, "calls", True))


def _parameters(
    signature: Sequence[Any], given: Sequence[Any], memory: RecordedMemory
) -> Iterator[dict[str, Any]]:
    """The arguments that a kernel gets at run time: constants are in its binary already."""
    for kind, value in zip(signature, given, strict=True):
        if isinstance(kind, tuple):
            yield from _parameters(kind, value, memory)
        elif kind == "constexpr":
            continue
        elif kind.startswith("*"):
            yield memory.pointer(value)
        else:
            yield _number(kind, value, memory)


def _number(kind: str, value: Any, memory: RecordedMemory) -> dict[str, Any]:
    if kind in _FLOATING:
        spelled = encode(float(value), lambda _: {})["v"]
        return {"t": "number", "type": _FLOATING[kind], "value": spelled}
    if kind not in _WHOLE:
        what = "a tensor descriptor" if kind.startswith(("tensordesc", "nvTma")) else kind[:40]
        raise NotReplayable(f"passes {what} to a kernel")
    if memory.holds(int(value)):
        raise NotReplayable("passes an address as a number")
    return {"t": "number", "type": kind, "value": int(value)}


def _leaf(memory: RecordedMemory) -> Callable[[torch.Tensor], dict[str, Any]]:
    return lambda tensor: {"t": "tensor", **memory.view(tensor)}


def _assemble_plan(notes: RecordedSteps, result: dict[str, Any]) -> Recording:
    """The plan without memory that no step and no result refers to."""
    _check_result(result)
    named = list(_buffer_holders([notes.steps, result]))
    used = sorted({int(one["buffer"]) for one in named})
    renumbered = {old: new for new, old in enumerate(used)}
    for one in {id(one): one for one in named}.values():
        one["buffer"] = renumbered[one["buffer"]]
    plan = {
        "buffers": [notes.memory.buffers[index] for index in used],
        "steps": notes.steps,
        "cubins": [[digest, len(cubin)] for digest, cubin in notes.cubins.items()],
        "result": result,
    }
    return Recording(plan, notes.cubins)


def _check_result(value: dict[str, Any]) -> None:
    if value["t"] in _SPECIAL:
        raise NotReplayable(f"returns a {value.get('v') or value['t']}")
    body = value.get("v")
    inner = body.values() if isinstance(body, dict) else body if isinstance(body, list) else ()
    for item in inner:
        if isinstance(item, dict):
            _check_result(item)


def _buffer_holders(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if isinstance(value.get("buffer"), int):  # a tagged value may have this name too
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _buffer_holders(item)
