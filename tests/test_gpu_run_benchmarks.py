"""Benchmarks of several commands on one GPU: what they print and promise, without a GPU."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchmark_files import benchmark
from kernelbenchx.core.environment import Placement
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Performance, Unmeasured
from kernelbenchx.runner.gpu_lease import GpuLease
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation, on_a_card, timed

TWO_RUNS, CLUSTER = map(benchmark, ("two_runs_on_one_gpu", "cluster_on_one_gpu"))

UUID = "0-of-a-test"
HOLDER = """
import subprocess, sys, time
from kernelbenchx.runner.gpu_lease import GpuLease
child = "import sys; sys.stdin.read()"
subprocess.Popen([sys.executable, "-c", child], stdin=subprocess.PIPE, start_new_session=True)
with GpuLease(sys.argv[1]).alone():
    time.sleep(600)
"""


@pytest.fixture(autouse=True)
def locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KBX_GPU_LOCKS", str(tmp_path / "locks"))


def _holder() -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", HOLDER, UUID])


class FakeCommand:
    """A command that has already written its run."""

    def __init__(self, out: Path, found: list[Evaluation]) -> None:
        with writing(RunFolder(out)) as database:
            database.note("seed", "77")
            for one in found:
                database.append(f"key {one.submission}", one, "source")

    def wait(self) -> int:
        return 0


def _one(name: str, performance: Performance, node: str = "") -> Evaluation:
    made = on_a_card(evaluation(name, performance=performance))
    return msgspec.structs.replace(made, placement=Placement(node=node) if node else None)


def _main(module: Any, monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr("sys.argv", ["benchmark", *words])
    code: int = module.main()
    return code


def test_a_killed_holder_frees_the_lease_and_its_processes_end() -> None:
    found = TWO_RUNS.kill_holder(_holder(), UUID)
    assert found is not None
    assert found.free_s > 0.0 and found.gone_s > 0.0
    assert (found.processes, found.left) == (1, ())


def test_a_command_that_ends_without_the_lease_was_not_killed() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    assert TWO_RUNS.kill_holder(ended, UUID) is None


def test_a_lease_that_is_never_free_is_not_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(TWO_RUNS, "MOST_WAIT_S", 0.1)
    with GpuLease(UUID).alone():
        TWO_RUNS.wait_for_lease(UUID)


def test_a_process_that_was_not_reaped_has_ended() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert TWO_RUNS.alive([child.pid]) == [child.pid]
        child.kill()
        while TWO_RUNS.alive([child.pid]):
            time.sleep(0.01)
    assert TWO_RUNS.alive([child.pid]) == []


def _fake_commands(monkeypatch: pytest.MonkeyPatch, speeds: dict[str, Performance]) -> None:
    def start(_sources: Path, out: Path, *_words: str) -> Any:
        if out.name.startswith("killed"):
            return _holder()
        return FakeCommand(out, [_one("relu", speeds.get(out.name, timed(1.25)))])

    monkeypatch.setattr(TWO_RUNS, "start", start)
    monkeypatch.setattr(TWO_RUNS, "gpu_count", lambda: 1)
    monkeypatch.setattr(TWO_RUNS, "gpu_uuid", lambda _index: UUID)


@pytest.mark.parametrize(
    ("name", "performance", "broken"),
    [
        ("together", timed(1.255), []),
        ("alone_again", timed(1.5), []),
        ("beside_it", timed(1.3), ["beside it: speedups differ by 4.00 % in the median"]),
        ("together", Unmeasured(reason=Reason.DISTURBED, detail="x"), ["1 kernels are unmeasured"]),
    ],
)
def test_two_runs_are_compared_with_one_alone(
    name: str,
    performance: Performance,
    broken: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _fake_commands(monkeypatch, {name: performance})
    monkeypatch.setattr(TWO_RUNS, "evaluate", _in_equal_time(TWO_RUNS.evaluate))
    code = _main(TWO_RUNS, monkeypatch, "--only", "relu", "--kills", "1")
    out = capsys.readouterr().out
    said = json.loads(out.splitlines()[-1])["broken"]
    assert (code, bool(said)) == (int(bool(broken)), bool(broken)), out
    for words in broken:
        assert any(one.startswith(words) for one in said), said
    assert "holds: the lease is free after" in out
    assert "holds: their processes are gone after" in out


def _in_equal_time(evaluate: Any) -> Any:
    def timed_evaluate(*arguments: Any) -> tuple[float, list[int]]:
        _, codes = evaluate(*arguments)
        return 1.0, codes

    return timed_evaluate


@pytest.mark.parametrize("module", [TWO_RUNS, CLUSTER])
def test_without_a_gpu_nothing_is_measured(
    module: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "gpu_count", lambda: 0)
    assert _main(module, monkeypatch) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_without_ray_one_line_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setattr(CLUSTER, "gpu_count", lambda: 1)
    monkeypatch.setattr(CLUSTER.importlib.util, "find_spec", lambda _name: None)
    assert _main(CLUSTER, monkeypatch) == 2
    assert capsys.readouterr().err == "Ray is not installed: nothing was measured\n"


@pytest.mark.parametrize(
    ("speed", "node", "broken"),
    [
        (1.251, "here", ""),
        (1.3, "here", "with Ray: speedups differ by 4.00 %"),
        (1.25, "", "0 of 1 were judged by Ray's actors"),
    ],
)
def test_runs_with_and_without_ray_are_compared(
    speed: float,
    node: str,
    broken: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def start(_sources: Path, out: Path, *words: str) -> FakeCommand:
        with_ray = "ray" in words
        found = _one("relu", timed(speed if with_ray else 1.25), node if with_ray else "")
        return FakeCommand(out, [found])

    monkeypatch.setattr(CLUSTER, "start", start)
    monkeypatch.setattr(CLUSTER, "why_impossible", lambda: "")
    code = _main(CLUSTER, monkeypatch, "--only", "relu")
    out = capsys.readouterr().out
    said = json.loads(out.splitlines()[-1])["broken"]
    assert code == int(bool(broken)), out
    assert all(one.startswith(broken) for one in said) if broken else not said
    assert "holds: 1 of 1 verdicts are equal" in out
