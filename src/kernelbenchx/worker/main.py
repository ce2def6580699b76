"""Reads an order, loads the submission, makes the calls, writes back their results."""

import os
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch

from . import compile_ahead, own_test, progress, published_test
from .ablation import Ablation
from .binding import arrange
from .frames import read_all
from .host_reads import HostReads
from .host_tensors import mark
from .modules import Modules, ReadyModule, set_tf32
from .order import Arguments, Order
from .persistent_state import STATISTICS, PersistentState
from .replies import Replies, call_frame, error_of, is_oversized
from .sessions import SESSIONS, Session
from .submission_loader import LOADERS, entry_of, hide_harness
from .timing.children import PROGRAMS as TIMED
from .tracing import OperatorTrace, poison_mildly
from .triton_cache import cache_folder, place

PROGRAMS = {
    **TIMED,
    "ahead": compile_ahead.serve,
    "own_test": own_test.serve,
    "published_test": published_test.serve,
}
"""Programs that do not make the calls of an order."""
_TAKES_COMPILED = ("cuda", "timing", "ahead")
"""Modes that run a submission; replaying a plan needs no precompiled kernels."""


@dataclass
class _FinishedCall:
    """A call whose result is kept until all calls are made.

    An output buffer that later calls write again is then seen as it is for a user who keeps it.
    """

    index: int
    run: str
    result: Any
    arguments: Arguments
    frame: bytes = b""
    """Written early where the memory of the arguments is about to be used again."""

    def settle(self) -> bytes:
        """The call as bytes, as it is now or was at the first request."""
        if not self.frame:
            self.frame = call_frame(self.index, self.run, self.result, self.arguments)
        return self.frame


def serve(order_fd: int, result_fd: int) -> None:
    """One order from start to end; every failure of the submission becomes an error frame."""
    order = Order.parse(read_all(order_fd))
    os.close(order_fd)
    replies = Replies(result_fd)
    hide_harness()
    torch.set_num_threads(1)
    set_tf32(order.header.get("tf32"))
    if order.header["mode"] in _TAKES_COMPILED:
        place(order.compiled, cache_folder())
    if order.header["mode"] in PROGRAMS:
        PROGRAMS[order.header["mode"]](order.header, replies)
        return
    with SESSIONS[order.header["mode"]](order.header) as session:
        try:
            module = LOADERS[order.header["language"]](order.header["source"], Path.cwd())
            name, entry = entry_of(module, order.header["entries"])
        except BaseException as error:  # noqa: BLE001 - boundary: whatever it raised is its outcome
            replies.say({"kind": "error", "stage": "load", "call": None, "error": error_of(error)})
            return
        replies.say({"kind": "loaded", "entry": name})
        state = PersistentState(module, on=bool(order.header["compares_state"]))
        if not _make_calls(order, session, entry, state, replies):
            return
        summary = session.finish(module, order.header)
        replies.trace(None, {"ops": {}, **summary})
    replies.say({"kind": "done"})


def _make_calls(
    order: Order, session: Session, entry: Any, state: PersistentState, replies: Replies
) -> bool:
    """Make all calls, whatever one raises; False where the device cannot go on after one."""
    finished: list[_FinishedCall] = []
    entry = Modules(entry, order) if order.header["form"] == "module" else entry
    for index, call in enumerate(order.calls):
        replies.say({"kind": "begun", "call": index})
        progress.current().begin_call(index + 1)
        try:
            room = _memory_of(finished, call.get("reuses"))
            planned = (index, call, room)
            finished += _make_call(order, session, entry, planned, state, replies)
        except BaseException as error:  # noqa: BLE001 - boundary, as above
            replies.trace(index, {"ops": {}, **_safe_trace(session)})
            said = error_of(error)
            replies.say({"kind": "error", "stage": "call", "call": index, "error": said})
            if not session.usable():
                return False
    progress.current().begin_call(0)
    replies.say({"kind": "begun", "call": None})
    if order.header["mode"] == "compile":
        return True
    for one in finished:
        # Where no kernel ran, a size that a kernel should have written is arbitrary.
        if not (order.calls[one.index].get("ablate") and is_oversized(one.result)):
            _write(one, replies)
    return True


def _write(one: _FinishedCall, replies: Replies) -> None:
    """Write a result; one that cannot be written is an error of its own call."""
    try:
        replies.write(one.settle())
    except Exception as error:  # noqa: BLE001 - boundary, as above
        said = error_of(error)
        replies.say({"kind": "error", "stage": "call", "call": one.index, "error": said})


def _memory_of(finished: list[_FinishedCall], wanted: int | None) -> tuple[torch.Tensor, ...]:
    """The memory of an earlier call, to be filled again: answers kept by address show then."""
    for one in finished:
        if one.index == wanted and one.run == "first":
            one.settle()
            return tuple(one.arguments.storages.values())
    return ()


def _make_call(
    order: Order,
    session: Session,
    entry: Any,
    planned: tuple[int, dict[str, Any], tuple[torch.Tensor, ...]],
    state: PersistentState,
    replies: Replies,
) -> list[_FinishedCall]:
    """Make the call once, and once more in reversed program order where programs raced."""
    finished = []
    index, call, room = planned
    for run, program_order in (("first", "shuffled"), ("reordered", "reversed")):
        order.zones.begin()
        with torch._C.DisableTorchFunction():  # not on a default device of the submission
            arguments = order.arguments(call, room if run == "first" else ())
        mark(arguments.storages.values(), "cuda")
        _seed(int(order.header["seed"]) + index)
        ablation = Ablation(call, arguments, order.zones.size_of)
        begin = partial(
            session.begin, ablate=ablation.skips, order=program_order, zeros=bool(call.get("zeros"))
        )
        begin()
        flow = session.flow
        flow.spoil = ablation.spoil if ablation.poisons else None
        fill = poison_mildly if ablation.asked else session.fill
        called, weights, route = entry, [], ""
        if isinstance(entry, Modules):
            with OperatorTrace(fill, flow, order.zones):  # so that its memory is known later
                called = entry.of(index, arguments)
            weights, route = called.tensors, called.route
            ablation.keep(weights)
            begin()  # what a constructor launches does not belong to the call
        args, kwargs = arrange(order.binding["call"], arguments.args, arguments.kwargs)
        owner = called.module if isinstance(called, ReadyModule) else called
        given = (args, kwargs)
        state.begin(owner, given)
        flow.begin([*arguments.storages.values(), *weights], given)
        on_gpu = order.device != "cpu"
        with HostReads(flow, on_gpu=on_gpu), OperatorTrace(fill, flow, order.zones) as operators:
            result = called(*args, **kwargs)
        flow.note_result(result)
        seen = {"ops": {**operators.operators, **flow.operators}, "weights": route}
        seen["work"] = operators.work
        seen |= session.trace()
        norm = STATISTICS & {name.rpartition(".")[2] for name in arguments.state}
        seen["state"] = state.changes(owner, given, call, norm)
        replies.trace(index, seen)
        order.zones.check()
        finished.append(_FinishedCall(index, run, result, arguments))
        if not session.needs_reordering():
            break
    if isinstance(entry, Modules):
        entry.release(index)
    return finished


def _seed(number: int) -> None:
    """Seed as `torch.manual_seed`, which walks its callers where no GPU is in use."""
    torch.default_generator.manual_seed(number)
    if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        torch.cuda.manual_seed_all(number)


def _safe_trace(session: Session) -> dict[str, Any]:
    try:
        return session.trace()
    except BaseException as error:  # noqa: BLE001 - a GPU that failed cannot be asked
        return {"flags": [f"no trace: {type(error).__name__}"]}


if __name__ == "__main__":
    serve(int(sys.argv[1]), int(sys.argv[2]))
