"""The bench server: it owns a device while it times, and serves the evaluator's requests.

`python -m kernelbenchx.measure.bench_server DESCRIPTOR`; the first message says device, seed,
baselines and sizes.
"""

import gc
import math
import os
import socket
import sys
import traceback
from typing import Any

import torch

from kernelbenchx.core.performance import Performance
from kernelbenchx.core.record import to_json
from kernelbenchx.core.rules import KernelBenchRule
from kernelbenchx.measure.bench import Bench
from kernelbenchx.measure.case_timing import ReplayFailure
from kernelbenchx.measure.evaluator_watch import end_with_evaluator, exit_silently_on_interrupt
from kernelbenchx.measure.input_layout import NoRoom, TooLong
from kernelbenchx.measure.kernelbench_call import judge_by_rule
from kernelbenchx.measure.runner_client import RunnerClient, awake
from kernelbenchx.measure.timed_runners import SubmissionRunners
from kernelbenchx.spec.imported_problem import BadProblem
from kernelbenchx.worker import reserved_cores, wire
from kernelbenchx.worker.timing.shared_memory import SharingFailed

MOST_BYTES = 64 << 20
ENTRY, REPLAY = "entry", "replay"
"""Prefixes of process names, by what runs in them."""
NO_MEMORY = "no memory left on the GPU"
_MOST_DESCRIPTORS = 16
PATIENCE_S = 240.0
"""Limit for one process with a submission in it, in all its turns together. Two of them may stall
for so long, and a wrong result is still reported before the evaluator gives up this process."""


def serve(connection: socket.socket) -> None:
    """Answer every request until the evaluator closes the connection."""
    bench: Bench | None = None
    try:
        while True:
            request = wire.receive(connection, MOST_BYTES, descriptors=_MOST_DESCRIPTORS)
            if request is None:
                return
            try:
                bench, answer = _answer(bench, request)
            except (
                torch.OutOfMemoryError,
                SharingFailed,
            ) as error:  # caused by other processes, not by kbx
                answer = wire.WireMessage({"fault": f"{NO_MEMORY}: {error}"[:300]})
            except (NoRoom, TooLong, BadProblem) as error:  # its message is complete
                answer = wire.WireMessage({"fault": str(error)[:300]})
            except Exception as error:  # noqa: BLE001 - a border: reported to the evaluator
                traceback.print_exc()
                answer = wire.WireMessage({"fault": f"{type(error).__name__}: {error}"[:1000]})
            wire.send(connection, answer)
    except BrokenPipeError:
        return  # the evaluator was killed while it waited
    finally:
        if bench is not None:
            bench.close()


def _answer(bench: Bench | None, request: wire.WireMessage) -> tuple[Bench, wire.WireMessage]:
    header = request.header
    if header["op"] == "start":
        kinds = tuple(header["baselines"])
        how = header["sizes"], header.get("isolation", "auto")
        started = Bench.for_device(header["device"], int(header["seed"]), kinds, *how)
        if started.device.startswith("cuda"):
            reserved_cores.take(torch.device(started.device).index or 0)
        return started, wire.WireMessage({"card": started.card.name})
    if bench is None:
        _close_all(request.descriptors)
        raise RuntimeError("the bench was not started")
    if header["op"] == "layouts":
        lines = [layout.to_json() for layout in bench.layouts(header["task"])]
        return bench, wire.WireMessage({"layouts": len(lines)}, "\n".join(lines).encode())
    if header["op"] == "expect":
        bench.expect([str(name) for name in header["tasks"]])
        return bench, wire.WireMessage({"ok": True})
    if header["op"] == "peaks":
        bench.measure_peaks()
        return bench, wire.WireMessage({"ok": True})
    if header["op"] == "compiled":
        return bench, wire.WireMessage({"ok": True}, to_json(bench.list_compilations()))
    if header["op"] == "time":
        return bench, _encode_performance(_time_submission(bench, header, request.descriptors))
    if header["op"] == "rule":
        found = _judge_by_rule(bench, header, request.descriptors)
        return bench, wire.WireMessage({"ok": True}, to_json(found))
    raise ValueError(f"no request is called {header['op']!r}")


def _encode_performance(found: Performance | ReplayFailure) -> wire.WireMessage:
    if isinstance(found, ReplayFailure):
        return wire.WireMessage({"obstacle": found.why, "refused": found.refused})
    return wire.WireMessage({"ok": True}, to_json(found))


def _time_submission(
    bench: Bench, header: dict[str, Any], descriptors: tuple[int, ...]
) -> Performance | ReplayFailure:
    entries = int(header["entries"])
    runners = _open_runners(bench.device, header, descriptors)
    try:
        crew = SubmissionRunners(
            runners[:entries],
            runners[entries:],
            header["obstacle"],
            header["digest"],
            core_only=bool(header.get("core_only")),
            dtype=str(header.get("dtype", "")),
        )
        found = bench.time(header["task"], crew)
        for entry in crew.entries if isinstance(found, ReplayFailure) else ():
            with awake(entry):
                entry.release()  # it waits for its second turn, and others need the memory
        return found
    finally:
        for replay in runners[entries:]:
            replay.release()  # it lives on: other processes must not get its memory on the GPU
        _close_runners(bench, runners)


def _judge_by_rule(
    bench: Bench, header: dict[str, Any], descriptors: tuple[int, ...]
) -> KernelBenchRule:
    runners = _open_runners(bench.device, header, descriptors)
    known = header["digest"], float(header["limit_s"])
    try:
        return judge_by_rule(bench, header["task"], runners[0], *known)
    finally:
        _close_runners(bench, runners)


def _close_runners(bench: Bench, runners: list[RunnerClient]) -> None:
    for runner in runners:
        runner.close()
    gc.collect()
    if bench.device.startswith("cuda"):
        torch.cuda.empty_cache()


def _open_runners(
    device: str, header: dict[str, Any], descriptors: tuple[int, ...]
) -> list[RunnerClient]:
    """The channels of entries first, then those of replays, then the pidfds that stop entries."""
    entries, stopped = int(header["entries"]), list(header["stopped"])
    count = entries + int(header["replays"])
    if len(descriptors) != count + len(stopped) or any(
        one not in range(entries) for one in stopped
    ):
        _close_all(descriptors)
        raise ValueError(f"{len(descriptors)} descriptors for {count} + {len(stopped)}")
    processes = dict(zip(stopped, descriptors[count:], strict=True))
    return [
        RunnerClient(
            f"{ENTRY if number < entries else REPLAY} {number}",
            socket.socket(fileno=descriptor),
            device,
            trusted=number >= entries,
            process=processes.get(number, -1),
            patience_s=PATIENCE_S if number < entries else math.inf,
        )
        for number, descriptor in enumerate(descriptors[:count])
    ]


def _close_all(descriptors: tuple[int, ...]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def main() -> None:
    """Serve until the connection is closed."""
    exit_silently_on_interrupt()
    torch.set_num_threads(1)
    gc.disable()  # a collection would run while a clock runs
    gc.freeze()  # all of torch: looking through it after each submission takes long
    with socket.socket(fileno=int(sys.argv[1])) as connection:
        end_with_evaluator(connection)
        serve(connection)
    sys.stderr.flush()
    os._exit(0)  # only the cleanup of torch is left, and the evaluator waits for the end


if __name__ == "__main__":
    main()
