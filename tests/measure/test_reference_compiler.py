"""Compiling beside the rest: a few at a time, quiet when asked, once per machine."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch

from kernelbenchx.measure import reference_compiler as module
from kernelbenchx.measure.reference_compiler import (
    ReferenceCompiler,
    compile_environment,
    compile_folder,
    kept_folder,
)

TASKS = ["activation/relu", "math/add", "math/div", "reduce/std"]
FAKE = """
import json, pathlib, sys, time
started, ended, task, device, seed = sys.argv[1:]
pathlib.Path(started, task.replace("/", ".")).touch()
while not pathlib.Path(ended, task.replace("/", ".")).exists():
    time.sleep(0.01)
said = pathlib.Path(ended, task.replace("/", ".")).read_text()
print("noise of a library")
print(said or json.dumps({"task": task, "seconds": 2.5, "cases": 3, "fell_back": False}))
"""


class Fake:
    """In place of the process that compiles: ends when it is told."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.started, self.ended = folder / "started", folder / "ended"
        self.started.mkdir()
        self.ended.mkdir()
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.environments: list[object] = []
        real = subprocess.Popen

        def start(command: list[str], **options: object) -> "subprocess.Popen[bytes]":
            assert command[1:3] == ["-m", "kernelbenchx.measure.compile_reference"]
            self.environments.append(options["env"])
            where = [str(self.started), str(self.ended)]
            made = real([sys.executable, "-c", FAKE, *where, *command[3:]], **options)  # type: ignore[call-overload]
            self.processes[command[3]] = made
            return made  # type: ignore[no-any-return]

        monkeypatch.setattr(subprocess, "Popen", start)

    def end(self, task: str, said: str = "") -> None:
        path = self.ended / "new"
        path.write_text(said)
        path.rename(self.ended / task.replace("/", "."))

    def running(self) -> set[str]:
        return {name.name.replace(".", "/") for name in self.started.iterdir()}


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    return Fake(tmp_path, monkeypatch)


@pytest.fixture
def compiling(tmp_path: Path, fake: Fake) -> Iterator[ReferenceCompiler]:
    found = ReferenceCompiler("cpu", tmp_path / "kept", {"WHERE": "here"}, most=2)
    yield found
    found.close()


def _until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_few_at_a_time_and_in_order(compiling: ReferenceCompiler, fake: Fake) -> None:
    compiling.expect(TASKS[:3])
    compiling.expect(TASKS[:3])
    _until(lambda: fake.running() == set(TASKS[:2]))
    fake.end(TASKS[0])
    found = compiling.wait(TASKS[0])
    assert found is not None and (found.seconds, found.cases, found.kept) == (2.5, 3, False)
    _until(lambda: fake.running() == set(TASKS[:3]))
    for task in TASKS[1:3]:
        fake.end(task)
        compiling.wait(task)
    assert [one.task for one in compiling.records()] == TASKS[:3]
    assert fake.environments == [{"WHERE": "here"}] * 3


def test_what_was_not_expected_is_compiled_when_it_is_needed(
    compiling: ReferenceCompiler, fake: Fake
) -> None:
    fake.end(TASKS[0])
    assert compiling.wait(TASKS[0]) is not None


def test_what_was_compiled_on_this_machine_is_not_compiled_again(
    compiling: ReferenceCompiler, fake: Fake
) -> None:
    fake.end(TASKS[0])
    compiling.wait(TASKS[0])
    again = ReferenceCompiler("cpu", compiling.folder, {})
    found = again.wait(TASKS[0])
    assert found is not None and (found.seconds, found.cases, found.kept) == (0.0, 3, True)
    assert len(fake.processes) == 1
    again.close()


@pytest.mark.parametrize("why", ["torch said no", "it changed", "of an earlier edition"])
def test_what_failed_or_changed_is_tried_again(
    compiling: ReferenceCompiler, fake: Fake, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    said = {"task": TASKS[0], "seconds": 1.0, "cases": 0, "fell_back": True, "error": why}
    fake.end(TASKS[0], json.dumps(said) if why == "torch said no" else "")
    found = compiling.wait(TASKS[0])
    assert found is not None and found.fell_back == (why == "torch said no")
    if why == "it changed":
        monkeypatch.setattr(module, "task_digest", lambda _name: "another" * 5)
    if why == "of an earlier edition":
        monkeypatch.setattr(module, "_EDITION", module._EDITION + 1)
    again = ReferenceCompiler("cpu", compiling.folder, {})
    second = again.wait(TASKS[0])
    assert second is not None and not second.kept
    assert len(fake.environments) == 2
    again.close()


@pytest.mark.parametrize("said", ["no json", '{"task": 1}'])
def test_a_process_that_says_nothing_is_noted(
    compiling: ReferenceCompiler, fake: Fake, said: str
) -> None:
    fake.end(TASKS[0], said)
    found = compiling.wait(TASKS[0])
    assert found is not None and "ended with 0" in found.error


def test_one_that_takes_too_long_is_ended(compiling: ReferenceCompiler, fake: Fake) -> None:
    compiling.patience_s = 0.2
    assert compiling.wait(TASKS[0]) is None
    compiling.patience_s = 20.0
    found = compiling.wait(TASKS[0])
    assert found is not None and "ended with -9" in found.error


def _state(process: "subprocess.Popen[bytes]") -> str:
    return Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_nobody_compiles_while_it_is_to_be_quiet(compiling: ReferenceCompiler, fake: Fake) -> None:
    compiling.expect(TASKS[:1])
    _until(lambda: fake.running() == {TASKS[0]})
    with compiling.pause():
        _until(lambda: _state(fake.processes[TASKS[0]]) == "T")
        compiling.expect(TASKS[1:2])
        fake.end(TASKS[0])
        time.sleep(0.1)
        assert list(fake.processes) == TASKS[:1]
    assert compiling.wait(TASKS[0]) is not None
    fake.end(TASKS[1])
    assert compiling.wait(TASKS[1]) is not None


@pytest.mark.parametrize("quiet", [False, True])
def test_all_are_gone_at_the_end(compiling: ReferenceCompiler, fake: Fake, quiet: bool) -> None:
    compiling.expect(TASKS)
    _until(lambda: len(fake.running()) == 2)
    waiting = threading.Thread(target=compiling.wait, args=(TASKS[3],))
    waiting.start()
    if quiet:
        for process in fake.processes.values():
            os.kill(process.pid, signal.SIGSTOP)
    compiling.close()
    waiting.join(60.0)
    assert not waiting.is_alive()
    assert len(fake.processes) == 2
    assert all(process.returncode == -9 for process in fake.processes.values())


def test_a_folder_and_processes_for_a_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = ReferenceCompiler.for_device("cpu")
    assert found.folder.is_dir() and tmp_path in found.folder.parents
    assert found.environment["TORCHINDUCTOR_CACHE_DIR"].startswith(str(found.folder))
    assert found.most >= 1
    found.close()


def test_one_folder_for_each_torch_and_card(monkeypatch: pytest.MonkeyPatch) -> None:
    environment = {"XDG_CACHE_HOME": "/somewhere"}
    host = compile_folder("cpu", environment)
    assert host.parent == Path("/somewhere/kernelbenchx/compiled")
    assert torch.__version__ in host.name
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda _where: "A/B card")
    card = compile_folder("cuda:1", environment)
    assert card.name.startswith("A_B_card-torch-")
    monkeypatch.setattr(torch, "__version__", "9.9+x")
    assert compile_folder("cuda:1", environment) != card


def test_a_folder_of_ours_is_used(tmp_path: Path) -> None:
    assert kept_folder(tmp_path / "a" / "b") == tmp_path / "a" / "b"


def test_a_folder_that_others_can_write_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    wanted = tmp_path / "shared"
    wanted.mkdir()
    wanted.chmod(0o777)
    found = kept_folder(wanted)
    assert found != wanted and found.is_dir()
    assert found.stat().st_mode & 0o077 == 0


def test_processes_that_compile_are_told_of_it(tmp_path: Path) -> None:
    found = compile_environment(tmp_path, {"HOME": "/h", "TRITON_CACHE_DIR": "/other"})
    assert found["HOME"] == "/h"
    assert found["TORCHINDUCTOR_CACHE_DIR"].startswith(str(tmp_path))
    assert found["TRITON_CACHE_DIR"].startswith(str(tmp_path))
