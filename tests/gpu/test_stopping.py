"""On the GPU: a signal ends a run at any moment, with all that it started there."""

import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import kernelbenchx as kbx
from problem_files import WITNESS
from published_problems import LARGE
from stopped_commands import Stopped, stop

pytestmark = pytest.mark.gpu

HANGS = """import torch
import triton
import triton.language as tl


@triton.jit
def k(x, y, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + at, mask=at < n)
    while tl.sum(v, axis=0) == tl.sum(v, axis=0):
        v = tl.load(x + at, mask=at < n, cache_modifier=".cv")
    tl.store(y + at, v, mask=at < n)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = torch.empty_like(input)
    k[(1,)](input, y, input.numel(), B=16)
    return y
"""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Words of `kbx eval` by what is evaluated."""
    folder = tmp_path_factory.mktemp("stopped")
    for kind in ("witnesses", "modules", "hanging", "KernelBench/level1"):
        (folder / kind).mkdir(parents=True)
    for name in ("relu", "gelu", "softmax", "add"):
        (folder / "witnesses" / f"{name}.py").write_text(kbx.task(name).witness)
    for number in (901, 902):
        problem = folder / "KernelBench" / "level1" / f"{number}_Scaled.py"
        problem.write_text(f"{LARGE}\n# {number}\n")
        name = f"level_1_problem_{number}_sample_0_kernel.py"
        (folder / "modules" / name).write_text(WITNESS)
    (folder / "hanging" / "relu.py").write_text(HANGS)
    return {
        "witnesses": [str(folder / "witnesses")],
        "modules": [str(folder / "modules"), "--problems", str(folder / "KernelBench")],
        "hanging": [str(folder / "hanging")],
    }


def _stopped(words: list[str], out: Path, after_s: float, number: int) -> Stopped:
    command = ["eval", *words, "--device", "cuda", "--stage", "perf", "--out", out]
    return stop(command, after_s, number, out.with_suffix(".log"), to_group=True)


@pytest.mark.parametrize(
    ("kind", "after_s"),
    [
        ("witnesses", 2.0),
        ("witnesses", 9.0),
        ("modules", 7.0),
        ("modules", 13.0),
        ("hanging", 12.0),
    ],
)
def test_everything_is_gone_within_three_seconds(
    sources: dict[str, list[str]], tmp_path: Path, kind: str, after_s: float
) -> None:
    number = signal.SIGINT if after_s > 8.0 else signal.SIGTERM
    ended = _stopped(sources[kind], tmp_path / "run", after_s, number)
    assert ended.survivors == (), ended
    if ended.in_time:
        assert ended.code == 128 + number, ended.said
        assert ended.said.endswith("kbx: stopped; finished results are kept\n")
    told = sum(line.startswith("  [") for line in ended.said.splitlines())
    if told:
        with closing(sqlite3.connect(tmp_path / "run" / "run.sqlite")) as connection:
            (kept,) = connection.execute("SELECT count(*) FROM evaluations").fetchone()
        assert kept >= told
