"""Warm processes: started in pairs, replaced when they die or hang, all gone at the end."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from kernelbenchx.measure import baseline_processes
from kernelbenchx.measure.baseline_processes import BaselineProcesses, without_overrides
from kernelbenchx.measure.runner_client import RunnerClient, RunnerFailed
from kernelbenchx.worker import wire
from kernelbenchx.worker.timing.layout import Layout

ECHO = """
import socket, sys
sys.path.insert(0, sys.argv[1])
from kernelbenchx.worker import wire
channel = socket.socket(fileno=int(sys.argv[-3]))
while (message := wire.receive(channel)) is not None:
    wire.send(channel, wire.WireMessage({"ok": True}))
"""
SLEEP = "import time; time.sleep(600)"


@pytest.fixture
def light(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Processes that answer everything, without torch; what is in the list runs first."""
    programs: list[str] = []

    def start(command: list[str], **options: object) -> "subprocess.Popen[bytes]":
        program = programs.pop(0) if programs else ECHO
        folder = str(baseline_processes.__file__).partition("/kernelbenchx/")[0]
        changed = [sys.executable, "-c", program, folder, *command[-3:]]
        return real(changed, **options)  # type: ignore[call-overload,no-any-return]

    real = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", start)
    return programs


@pytest.fixture
def pairs(light: list[str]) -> Iterator[BaselineProcesses]:
    found = BaselineProcesses("cpu", ("eager", "compile"))
    yield found
    found.close()


def _processes(found: BaselineProcesses) -> dict[tuple[str, int], "subprocess.Popen[bytes]"]:
    return dict(found._processes)


def test_two_of_each_kind_and_the_same_ones_again(pairs: BaselineProcesses) -> None:
    runners = {kind: list(pair) for kind, pair in pairs.runners().items()}
    assert [one.name for pair in runners.values() for one in pair] == [
        "eager 0",
        "eager 1",
        "compile 0",
        "compile 1",
    ]
    assert all(one.trusted for pair in runners.values() for one in pair)
    assert pairs.runners() == runners


def test_what_was_started_early_is_used(pairs: BaselineProcesses) -> None:
    pairs.start()
    before = _processes(pairs)
    pairs.runners()
    assert _processes(pairs) == before


def test_one_that_died_is_replaced_and_the_others_are_kept(pairs: BaselineProcesses) -> None:
    pairs.runners()
    before = _processes(pairs)
    before["eager", 1].kill()
    before["eager", 1].wait()
    runners = pairs.runners()
    after = _processes(pairs)
    assert {key for key in before if before[key] is not after[key]} == {("eager", 1)}
    runners["eager"][1].hello()


def test_one_that_hangs_is_ended_and_replaced(
    light: list[str], pairs: BaselineProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    light.append(SLEEP)
    pairs.start()
    hanging = _processes(pairs)["eager", 0]
    monkeypatch.setattr("kernelbenchx.measure.runner_client._SLOW_S", 0.2)
    pairs.kinds = ("eager",)
    pairs.runners()
    assert hanging.poll() is not None
    assert _processes(pairs)["eager", 0].poll() is None


def test_all_are_gone_at_the_end(light: list[str]) -> None:
    found = BaselineProcesses("cpu", ("eager",))
    found.runners()
    processes = _processes(found).values()
    found.close()
    assert len(processes) == 2
    assert all(process.returncode is not None for process in processes)
    found.close()


def test_a_pair_gets_ready_at_once_and_nobody_else(pairs: BaselineProcesses) -> None:
    asked: list[tuple[str, str]] = []
    for pair in pairs.runners().values():
        for runner in pair:
            runner.ask = _noting(runner, asked)  # type: ignore[method-assign]
    layout = Layout({"args": [], "kwargs": {}, "init": [], "state": {}}, (), 512, 1)
    pairs.prepare("compile", "a/task", [layout, layout])
    wanted = [op for op in asked if op[1] != "hello"]
    for name in ("compile 0", "compile 1"):
        said = [op for runner, op in wanted if runner == name]
        assert said == ["load", "prepare", "prepare"]
    assert len(wanted) == 6


def _noting(runner: RunnerClient, asked: list[tuple[str, str]]) -> Any:
    def ask(header: dict[str, Any], *_: Any) -> wire.WireMessage:
        asked.append((runner.name, header["op"]))
        if header["op"] == "prepare":
            raise RunnerFailed("ValueError", "not on zeros", runner.name)
        return wire.WireMessage({"ok": True})

    return ask


def _told(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> list[tuple[str, dict[str, str]]]:
    """The kind of every process that is started, and its environment."""
    told: list[tuple[str, dict[str, str]]] = []
    real = subprocess.Popen

    def start(command: list[str], **options: Any) -> "subprocess.Popen[bytes]":
        told.append((command[-2], options["env"]))
        return real(command, **options)  # type: ignore[no-any-return]

    monkeypatch.setattr(subprocess, "Popen", start)
    found = BaselineProcesses("cpu", ("eager", "compile"), environment)
    found.runners()
    found.close()
    return told


def test_only_those_that_compile_are_told_where(
    light: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = _told(monkeypatch, {"WHERE": "here"})
    assert [kind for kind, _ in told] == ["eager", "eager", "compile", "compile"]
    assert all(given == without_overrides(os.environ) for _, given in told[:2])
    assert all(given == {"WHERE": "here"} for _, given in told[2:])


def test_no_shell_decides_about_precision_or_makes_launches_wait(
    light: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And everything else that the shell says still holds."""
    shell = {
        "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE": "1",
        "NVIDIA_TF32_OVERRIDE": "0",
        "CUDA_LAUNCH_BLOCKING": "1",
        "CUDA_VISIBLE_DEVICES": "0",
    }
    for name, value in shell.items():
        monkeypatch.setenv(name, value)
    for _, given in _told(monkeypatch, {**shell, "WHERE": "here"}):
        assert shell.keys() & given.keys() == {"CUDA_VISIBLE_DEVICES"}
        assert given["CUDA_VISIBLE_DEVICES"] == "0"


def test_a_real_one_runs_the_reference() -> None:
    tensor = {"t": "tensor", "storage": 0, "dtype": "float32", "shape": [2]}
    layout = Layout({"args": [tensor], "kwargs": {}, "init": [], "state": {}}, (8,), 512, 1)
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-m", "kernelbenchx.measure.baseline", str(theirs.fileno())]
    process = subprocess.Popen([*command, "eager", "cpu"], pass_fds=[theirs.fileno()])
    theirs.close()
    runner = RunnerClient("eager 0", ours, "cpu", trusted=True)
    try:
        runner.ask({"op": "load", "plan": {"task": "activation/relu"}}, 60.0)
        runner.open(layout)
        runner.fill(0, [torch.tensor([-1.0, 2.0]).view(torch.uint8)])
        runner.run("batch")
        assert runner.rooms[0][:8].view(torch.float32).tolist() == [0.0, 2.0]
    finally:
        runner.close()
        assert process.wait(60.0) == 0
