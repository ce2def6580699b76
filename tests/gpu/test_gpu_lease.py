"""On the GPU: two runs at once never time each other, and a killed one leaves nothing behind."""

import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import kernelbenchx as kbx
from kernelbenchx.core.performance import Timed, Unmeasured
from kernelbenchx.runner.gpu_lease import GpuLease
from kernelbenchx.runner.gpu_users import lock_folder, user_of
from kernelbenchx.runner.gpus import gpu_count, gpu_uuid
from kernelbenchx.worker.processes import family

pytestmark = pytest.mark.gpu

TASKS = ("relu", "gelu", "selu", "softmax", "add", "mul", "log1p", "sum")
FOREIGN = """
import torch
x = torch.ones(1 << 26, device="cuda")
print("there", flush=True)
while True:
    for _ in range(50):
        x.mul_(1.0)
    torch.cuda.synchronize()
"""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources")
    for name in TASKS:
        (folder / f"{name}.py").write_text(kbx.task(name).witness)
    return folder


def _start(sources: Path, out: Path, **variables: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "kernelbenchx", "eval", str(sources), "--out", str(out)]
    return subprocess.Popen(
        [*command, "--stage", "perf", "--device", "cuda", "--json"],
        stdout=subprocess.DEVNULL,
        env=os.environ | variables,
    )


def _speedups(run: Path) -> dict[str, float]:
    found = {}
    for one in kbx.load_run(run).results:
        assert isinstance(one.performance, Timed), (one.submission, one.outcome, one.performance)
        over = one.performance.find_speedup("eager")
        assert over is not None
        found[one.submission] = over.speedup
    assert len(found) == len(TASKS)
    return found


def test_two_runs_at_once_give_the_times_of_one_alone(sources: Path, tmp_path: Path) -> None:
    began = time.monotonic()
    assert _start(sources, tmp_path / "alone").wait() == 0
    one_after_another_s = 2 * (time.monotonic() - began)
    began = time.monotonic()
    both = [_start(sources, tmp_path / name) for name in ("first", "second")]
    assert [one.wait() for one in both] == [0, 0]
    together_s = time.monotonic() - began
    alone = _speedups(tmp_path / "alone")
    for name in ("first", "second"):
        found = _speedups(tmp_path / name)
        differences = [abs(found[one] / alone[one] - 1) for one in alone]
        assert statistics.median(differences) <= 0.01, differences
    assert together_s <= one_after_another_s, (together_s, one_after_another_s)


def test_a_killed_run_frees_the_lease_in_a_second_and_its_workers_are_gone_in_five(
    sources: Path, tmp_path: Path
) -> None:
    uuid, run = gpu_uuid(0), _start(sources, tmp_path / "killed")
    lock = lock_folder() / f"GPU-{uuid}.lock"
    until = time.monotonic() + 300.0
    while (held := user_of(lock)) is None or held.pid not in family(run.pid):
        assert time.monotonic() < until and run.poll() is None
        time.sleep(0.005)
    processes = family(run.pid) - {run.pid}
    killed = time.monotonic()
    run.send_signal(signal.SIGKILL)
    lease = GpuLease(uuid)
    with lease.alone():
        assert time.monotonic() - killed < 1.0
    lease.close()  # else all that this process starts later would be known as a run's
    run.wait()
    while any(Path(f"/proc/{pid}").exists() for pid in processes):
        assert time.monotonic() - killed < 5.0, processes
        time.sleep(0.05)


@contextmanager
def _foreign_work() -> Iterator[None]:
    with subprocess.Popen([sys.executable, "-c", FOREIGN], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline()
        try:
            yield
        finally:
            other.kill()


def test_foreign_work_on_the_gpu_makes_times_unmeasured(sources: Path, tmp_path: Path) -> None:
    with _foreign_work():
        assert _start(sources, tmp_path / "run").wait() == 0
    for one in kbx.load_run(tmp_path / "run").results:
        assert isinstance(one.performance, Unmeasured), (one.submission, one.performance)


def test_workers_use_the_gpu_that_the_judge_was_given(sources: Path, tmp_path: Path) -> None:
    given = {"CUDA_VISIBLE_DEVICES": f"GPU-{gpu_uuid(_last_gpu())}"}
    assert _start(sources, tmp_path / "run", **given).wait() == 0
    for one in kbx.load_run(tmp_path / "run").results:
        assert isinstance(one.performance, Timed), one.performance
        assert one.performance.gpu.uuid == gpu_uuid(_last_gpu())


def _last_gpu() -> int:
    """On a machine with several, not the one that workers would take by themselves."""
    return gpu_count() - 1
