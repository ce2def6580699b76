"""The evaluator's end of a bench: started when needed, started again when it died."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Unmeasured
from kernelbenchx.measure import bench_connection
from kernelbenchx.measure.bench_connection import BenchConnection
from kernelbenchx.worker.timing.layout import Layout

SOURCES = str(bench_connection.__file__).partition("/kernelbenchx/")[0]
LAYOUT = Layout({"args": [], "kwargs": {}, "init": [], "state": {}}, (8, 16), 512, 1)
FAKE = """
import json, os, socket, sys
sys.path.insert(0, sys.argv[1])
from kernelbenchx.worker import wire
channel, notes = socket.socket(fileno=int(sys.argv[3])), open(sys.argv[2], "a")
trouble = open(sys.argv[2] + ".trouble").read().split() if os.path.exists(sys.argv[2] + ".trouble") else []
while (request := wire.receive(channel, descriptors=16)) is not None:
    op = request.header["op"]
    print(json.dumps([op, request.header, len(request.descriptors)]), file=notes, flush=True)
    if "die:" + op in trouble:
        os.remove(sys.argv[2] + ".trouble")
        os._exit(3)
    if "fault:" + op in trouble:
        os.remove(sys.argv[2] + ".trouble")
        trouble.clear()
        wire.send(channel, wire.WireMessage({"fault": "ValueError: no luck"}))
        continue
    if "nonsense:" + op in trouble:
        os.remove(sys.argv[2] + ".trouble")
        channel.send(b"xxxxxxxxxxxxxxxxx")
        continue
    bodies = {
        "layouts": LAYOUT,
        "compiled": '[{"task": "a/task", "seconds": 1.5, "cases": 2, "fell_back": false}]',
        "time": '{"kind":"unmeasured","reason":"disturbed","detail":"' + str(len(request.descriptors)) + '"}',
    }
    wire.send(channel, wire.WireMessage({"ok": True}, bodies.get(op, "").encode()))
""".replace("LAYOUT", repr(LAYOUT.to_json()))  # noqa: E501


class FakeBenches:
    """What benches were asked, and what the next one will do wrong."""

    def __init__(self, folder: Path) -> None:
        self.notes = folder / "notes"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.environments: list[dict[str, str]] = []

    def trouble(self, words: str) -> None:
        Path(f"{self.notes}.trouble").write_text(words)

    def asked(self) -> list[str]:
        return [line.split('"')[1] for line in self.notes.read_text().splitlines()]


@pytest.fixture
def benches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeBenches:
    found = FakeBenches(tmp_path)
    real = subprocess.Popen

    def start(command: list[str], **options: Any) -> "subprocess.Popen[bytes]":
        changed = [sys.executable, "-c", FAKE, SOURCES, str(found.notes), command[-1]]
        process = real(changed, **options)
        found.processes.append(process)
        found.environments.append(options["env"])
        return process  # type: ignore[no-any-return]

    monkeypatch.setattr(subprocess, "Popen", start)
    return found


@pytest.fixture
def bench(benches: FakeBenches) -> Iterator[BenchConnection]:
    with closing(BenchConnection("cpu", 5, ("eager",))) as found:
        yield found


def test_it_is_started_once_and_told_what_it_needs(
    bench: BenchConnection, benches: FakeBenches
) -> None:
    assert benches.processes == []
    bench.start()
    bench.start()
    assert bench.layouts("a/task") == [LAYOUT]
    assert bench.layouts("a/task") == [LAYOUT]
    assert bench.layouts("another/task") == [LAYOUT]
    assert benches.asked() == ["start", "layouts", "layouts"]
    assert '"seed": 5' in benches.notes.read_text()
    assert len(benches.processes) == 1


def test_what_the_shell_says_of_precision_stays_with_it(
    bench: BenchConnection, benches: FakeBenches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NVIDIA_TF32_OVERRIDE", "1")
    monkeypatch.setenv("CUDA_LAUNCH_BLOCKING", "1")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    bench.start()
    (given,) = benches.environments
    assert not {"NVIDIA_TF32_OVERRIDE", "CUDA_LAUNCH_BLOCKING"} & given.keys()
    assert given["CUDA_VISIBLE_DEVICES"] == "0"


def test_what_is_known_is_said_while_it_times(bench: BenchConnection) -> None:
    assert bench.layouts("a/task") == [LAYOUT]
    found: list[str] = []

    def ask(task: str) -> threading.Thread:
        def asked() -> None:
            bench.layouts(task)
            found.append(task)

        thread = threading.Thread(target=asked, daemon=True)
        thread.start()
        return thread

    with bench._lock:  # as while another is timed
        unknown = ask("another/task")
        ask("a/task").join(60.0)
        assert found == ["a/task"]
    unknown.join(60.0)
    assert found == ["a/task", "another/task"]


def test_where_nothing_is_compiled_it_is_not_told_what_comes(
    bench: BenchConnection, benches: FakeBenches
) -> None:
    bench.expect(["a/task"])
    bench.start()
    assert bench.list_compilations() == []
    assert benches.asked() == ["start"]


def test_where_references_are_compiled_it_is_told_and_says_what_it_took(
    benches: FakeBenches,
) -> None:
    with closing(BenchConnection("cpu", 5, ("eager", "compile"))) as bench:
        assert bench.list_compilations() == []  # a bench is not started to say so
        bench.expect(["a/task"])
        found = bench.list_compilations()
    assert [(one.task, one.seconds, one.kept) for one in found] == [("a/task", 1.5, False)]
    assert benches.asked() == ["start", "expect", "compiled"]


def test_peaks_are_asked_for_with_the_start(bench: BenchConnection, benches: FakeBenches) -> None:
    bench.measure_peaks()
    assert benches.asked() == ["start", "peaks"]


def test_runners_are_passed_on(bench: BenchConnection, benches: FakeBenches) -> None:
    one, two = socket.socketpair()
    with one, two:
        process = os.open("/dev/null", os.O_RDONLY)
        try:
            entries = ((one.fileno(), process), (one.fileno(), -1))
            found = bench.time("a/task", entries, (two.fileno(),), "reads a value", "d1")
        finally:
            os.close(process)
        assert found == Unmeasured(reason=Reason.DISTURBED, detail="4")
        notes = benches.notes.read_text()
        assert '"entries": 2, "replays": 1, "stopped": [0]' in notes
        assert '"obstacle": "reads a value", "digest": "d1"' in notes
        assert one.fileno() >= 0  # still ours


@pytest.mark.parametrize("words", ["die:layouts", "nonsense:layouts"])
def test_one_that_dies_in_a_request_is_our_fault_and_the_next_request_starts_another(
    bench: BenchConnection, benches: FakeBenches, words: str
) -> None:
    benches.trouble(words)
    with pytest.raises(EvaluatorFault, match="the bench"):
        bench.layouts("a/task")
    assert benches.processes[0].poll() is not None
    assert bench.layouts("a/task") == [LAYOUT]
    assert benches.asked() == ["start", "layouts", "start", "layouts"]


def test_one_that_died_between_requests_is_noticed(
    bench: BenchConnection, benches: FakeBenches
) -> None:
    bench.start()
    benches.processes[0].kill()
    benches.processes[0].wait()
    with pytest.raises(EvaluatorFault, match="the bench"):
        bench.layouts("a/task")
    assert bench.layouts("a/task") == [LAYOUT]
    assert len(benches.processes) == 2


def test_a_fault_that_it_tells_leaves_it_alive(
    bench: BenchConnection, benches: FakeBenches
) -> None:
    benches.trouble("fault:time")
    with pytest.raises(EvaluatorFault, match="no luck"):
        bench.time("a/task", (), ())
    assert bench.time("a/task", (), ()) == Unmeasured(reason=Reason.DISTURBED, detail="0")
    assert len(benches.processes) == 1


@pytest.mark.parametrize("words", ["fault:start", "die:start"])
def test_one_that_does_not_start_says_why_and_is_tried_again(
    bench: BenchConnection, benches: FakeBenches, words: str
) -> None:
    benches.trouble(words)
    with pytest.raises(EvaluatorFault, match="no luck" if "fault" in words else "ended"):
        bench.start()
    assert benches.processes[0].poll() is not None
    assert bench.layouts("a/task") == [LAYOUT]
    assert benches.asked() == ["start", "start", "layouts"]


def test_one_that_hangs_is_ended(
    bench: BenchConnection, benches: FakeBenches, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.start()
    monkeypatch.setattr(bench_connection, "_LAYOUTS_S", 0.1)
    monkeypatch.setattr(bench_connection, "_END_S", 0.1)
    os.kill(benches.processes[0].pid, 19)  # SIGSTOP
    with pytest.raises(EvaluatorFault, match="TimeoutError"):
        bench.layouts("a/task")
    assert benches.processes[0].poll() is not None


def test_requests_of_several_threads_do_not_mix(
    bench: BenchConnection, benches: FakeBenches
) -> None:
    found: list[object] = []

    def ask(number: int) -> None:
        found.append(bench.layouts(f"task/{number}"))
        found.append(bench.time("a/task", (), ()))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60.0)
    assert len(found) == 12
    assert found.count([LAYOUT]) == 6
    assert len(benches.processes) == 1


def test_closing_ends_it_and_closing_nothing_is_no_error(benches: FakeBenches) -> None:
    bench = BenchConnection("cpu", 5, ())
    bench.close()
    bench.start()
    bench.close()
    bench.close()
    assert benches.processes[0].returncode == 0


@pytest.mark.slow
def test_a_real_bench_on_the_host_knows_the_forms_of_a_task() -> None:
    with closing(BenchConnection("cpu", 5, ("eager",), "published")) as bench:
        found = bench.layouts("linear_algebra/svd")
        with pytest.raises(EvaluatorFault, match="no_such"):
            bench.layouts("math/no_such")
    assert all(layout.slots == 1 and layout.size < 1 << 30 for layout in found)
    shapes = [layout.call["args"][0]["shape"] for layout in found]
    assert shapes == [[n, n] for n in (16, 32, 64, 128, 256)]
