"""Orders written for a worker, results read back from it: bytes and a bounded schema."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from kernelbenchx.core.argument_binding import AS_IT_IS, EntryBinding
from kernelbenchx.core.record import to_plain
from kernelbenchx.runner import sanitize
from kernelbenchx.spec.call import Call, CaseDevice, GeneratorSeed
from kernelbenchx.spec.modules import made_from
from kernelbenchx.spec.outputs import CallResult
from kernelbenchx.worker.ablation import Poison
from kernelbenchx.worker.frames import Frame, Malformed, pack, unpack
from kernelbenchx.worker.values import (
    BadValue,
    Decoder,
    Geometry,
    PackedStorages,
    dtype_name,
    encode,
    owned_bytes,
)


@dataclass(frozen=True)
class PlannedCall:
    """One call that a worker is to make."""

    call: Call
    names: tuple[str, ...]
    """The argument each tensor of the call belongs to."""
    ablate: bool = False
    poison: Poison = ""
    """With `ablate`: what launches leave behind instead of nothing."""
    writes: tuple[str, ...] = ()
    """Arguments that a kernel may write."""
    reuses: int | None = None
    """An earlier call whose memory this one's arguments are written into."""
    zeros: bool = False
    """Put zeros in lanes that a masked load leaves undefined, where the interpreter puts poison."""


@dataclass(frozen=True, kw_only=True)
class CallPlan:
    """Everything that a worker gets."""

    mode: str
    source: str
    entries: tuple[str, ...]
    form: str
    language: str
    seed: int
    calls: tuple[PlannedCall, ...]
    device: str = "cpu"
    target: str = "sm_90"
    red_zone: int = 0
    """Bytes around every buffer that no kernel may write; for GPUs, which check no bounds."""
    all_configurations: bool = False
    launches: tuple[dict[str, Any], ...] = ()
    binaries: tuple[dict[str, Any], ...] = ()
    """Launches, each with the resources that the compiler reports, for wrappers that read them."""
    layouts: tuple[str, ...] = ()
    """Forms of calls to compile ahead, as JSON."""
    compiled: bytes = b""
    """What was compiled ahead, as `pack_compiled` wrote it: the submission's, and not read here."""
    test: str = ""
    """A test by the submission's own author, where the mode is `own_test`."""
    published_test: dict[str, Any] = field(default_factory=dict)
    """The program of draws and calls, and the name it calls, where that is the mode."""
    tf32: bool | None = None
    """Whether torch rounds float32 products to TF32; None: as torch does by itself."""
    compares_state: bool = False
    """Whether the worker reports what a call leaves for the next one."""
    few_queues: bool = False
    """Use few queues, where it is timed: no work of it runs beside other work of it."""
    binding: EntryBinding = AS_IT_IS
    """How the submission takes the arguments of the calls."""


@dataclass(frozen=True)
class WorkerError:
    """An exception that the submission raised."""

    stage: str
    call: int | None
    kind: str
    message: str
    line: int
    key: str = ""
    """The result that a published test was computing."""


@dataclass
class WorkerReport:
    """What a worker wrote, as far as it could be read."""

    entry: str = ""
    returned: dict[int, CallResult] = field(default_factory=dict)
    reordered: dict[int, CallResult] = field(default_factory=dict)
    errors: list[WorkerError] = field(default_factory=list)
    traces: dict[int | None, dict[str, Any]] = field(default_factory=dict)
    begun: int | None = None
    """The call that was under way last; None before the first and after the last."""
    done: bool = False
    malformed: str = ""


def write_order(path: Path, plan: CallPlan) -> list[list[int]]:
    """Write the order; the storage index of every tensor of every call is returned."""
    storages, placed = PackedStorages(), []
    calls = []
    for planned in plan.calls:
        indices: list[int] = []
        calls.append(_describe_call(planned, storages, indices))
        placed.append(indices)
    header = {
        "mode": plan.mode,
        "language": plan.language,
        "form": plan.form,
        "entries": list(plan.entries),
        "source": plan.source,
        "seed": plan.seed,
        "device": plan.device,
        "target": plan.target,
        "red_zone": plan.red_zone,
        "all_configurations": plan.all_configurations,
        "tf32": plan.tf32,
        "compares_state": plan.compares_state,
        "few_queues": plan.few_queues,
        "launches": list(plan.launches),
        "binaries": list(plan.binaries),
        "layouts": list(plan.layouts),
        "test": plan.test,
        "binding": to_plain(plan.binding),
        "published_test": plan.published_test,
        "storages": storages.spans,
        "calls": calls,
    }
    path.write_bytes(pack(header, storages.payload()) + plan.compiled)
    return placed


def parse_report(data: bytes, plan: CallPlan, placed: Sequence[Sequence[int]]) -> WorkerReport:
    """Parse everything up to the first byte that does not parse; what follows it does not count."""
    report = WorkerReport()
    try:
        for frame in unpack(data):
            _note(frame, plan, placed, report)
    except _SENSELESS as error:
        report.malformed = sanitize.printable(f"{type(error).__name__}: {str(error)[:200]}")
        report.done = False
    return report


# torch raises RuntimeError for sizes that overflow.
_SENSELESS = (Malformed, BadValue, LookupError, TypeError, ValueError, ArithmeticError,
              AttributeError, RuntimeError)  # fmt: skip


def _describe_call(
    planned: PlannedCall, storages: PackedStorages, indices: list[int]
) -> dict[str, Any]:
    def write(tensor: torch.Tensor) -> dict[str, Any]:
        indices.append(storages.add(tensor))
        return {
            "t": "tensor",
            "storage": indices[-1],
            "dtype": dtype_name(tensor.dtype),
            "shape": list(tensor.shape),
            "strides": list(tensor.stride()),
            "offset": tensor.storage_offset(),
        }

    def value(one: Any) -> dict[str, Any]:
        if isinstance(one, GeneratorSeed):
            return {"t": "generator", "v": one.seed}
        if isinstance(one, CaseDevice):
            return {"t": "device"}
        return encode(one, write)

    call = planned.call
    described: dict[str, Any] = {
        "args": [value(one) for one in call.args],
        "kwargs": {name: value(one) for name, one in call.kwargs.items()},
        "init": [value(one) for one in call.init],
        "state": {name: value(one) for name, one in call.state.items()},
        **made_from(call),
    }
    return {
        **described,
        "ablate": planned.ablate,
        "poison": planned.poison,
        "written": [
            index
            for index, name in zip(indices, planned.names, strict=False)
            if name in planned.writes
        ],
        "reuses": planned.reuses,
        "zeros": planned.zeros,
    }


def _note(
    frame: Frame, plan: CallPlan, placed: Sequence[Sequence[int]], report: WorkerReport
) -> None:
    header, kind = frame.header, frame.header.get("kind")
    if report.done:
        raise Malformed("frames after the end")
    if kind == "loaded":
        report.entry = sanitize.text(header["entry"], 200)
    elif kind == "trace":
        of = _call_number(header, plan)
        if of in report.traces:
            raise Malformed("a call is traced twice")
        report.traces[of] = sanitize.trace(header)
    elif kind == "begun":
        report.begun = _call_number(header, plan)
    elif kind == "error":
        report.errors.append(_error(header, _call_number(header, plan)))
    elif kind == "call":
        number = sanitize.number(header["call"])
        kept = report.reordered if header["run"] == "reordered" else report.returned
        if number in kept or not 0 <= number < len(plan.calls):
            raise Malformed("a call is reported twice or was never asked for")
        kept[number] = _read_result(frame, plan.calls[number], placed[number])
    elif kind == "done":
        report.done = True
    else:
        raise Malformed(f"a frame of unknown kind {str(kind)[:40]!r}")


def _call_number(header: dict[str, Any], plan: CallPlan) -> int | None:
    """The call that a frame belongs to; None for what belongs to all."""
    if header["call"] is None:
        return None
    number = sanitize.number(header["call"])
    if not 0 <= number < len(plan.calls):
        raise Malformed("a call was never asked for")
    return number


def _error(header: dict[str, Any], call: int | None) -> WorkerError:
    error = header["error"]
    return WorkerError(
        stage=sanitize.text(header["stage"], 40),
        call=call,
        kind=sanitize.text(error["type"], 200),
        message=sanitize.text(error["message"]),
        line=sanitize.number(error["line"]),
        key=sanitize.text(header.get("key", ""), 200),
    )


def _read_result(frame: Frame, planned: PlannedCall, indices: Sequence[int]) -> CallResult:
    spans = [(int(a), int(b)) for a, b in frame.header["storages"]]

    def storage(index: int) -> torch.Tensor:
        offset, length = spans[index]
        if offset < 0 or length < 0 or offset + length > len(frame.payload):
            raise Malformed("a storage lies outside its frame")
        return owned_bytes(frame.payload[offset : offset + length])

    decoder = Decoder(
        tensor=lambda described: Geometry.of(described).over(storage(int(described["storage"]))),
        stand_in=lambda _tag, _body: _Opaque(),
    )
    after = {int(number): storage(int(at)) for number, at in frame.header["after"].items()}
    names = dict(zip(reversed(list(indices)), reversed(planned.names), strict=True))
    return CallResult(
        result=decoder.decode(frame.header["result"]),
        after=_after(planned.call, indices, after),
        aliases=tuple(names.get(int(number), "") for number in frame.header["aliases"]),
        devices=tuple(sanitize.text(device, 40) for device in frame.header["devices"]),
        layouts=tuple(sanitize.text(layout, 40) for layout in frame.header["layouts"]),
    )


class _Opaque:
    """An object that a submission returned and that has no meaning on this side."""


def _after(call: Call, indices: Sequence[int], storages: dict[int, torch.Tensor]) -> Call:
    """The call's arguments over the storages that came back."""
    places: Iterator[int] = iter(indices)

    def restore(tensor: torch.Tensor) -> torch.Tensor:
        geometry = Geometry(
            tensor.dtype, tuple(tensor.shape), tuple(tensor.stride()), int(tensor.storage_offset())
        )
        return geometry.over(storages[next(places)])

    return call.map_tensors(restore)
