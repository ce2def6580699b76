"""The benchmark of truths: every task is there, and a slow one is said."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from benchmark_files import benchmark
from kernelbenchx import catalog

TRUTHS = benchmark("check_truths")


@pytest.fixture(autouse=True)
def some_tasks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    threads = torch.get_num_threads()
    monkeypatch.setattr(catalog, "names", lambda: ("activation/relu", "reduce/sum"))
    yield
    torch.set_num_threads(threads)


def _main(monkeypatch: pytest.MonkeyPatch, out: Path) -> int:
    monkeypatch.setattr(sys, "argv", ["check_truths.py", "--out", str(out)])
    return int(TRUTHS.main())


def test_what_truths_take_is_printed_and_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(TRUTHS, "MOST_S", 600.0)  # on a busy machine, too
    assert _main(monkeypatch, tmp_path / "said.txt") == 0
    said = capsys.readouterr().out
    assert "all 2 tasks: " in said and "holds: " in said and "activation/relu" in said
    assert (tmp_path / "said.txt").read_text() == said


def test_truths_that_take_too_long_break_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(TRUTHS, "MOST_S", 0.0)
    assert _main(monkeypatch, tmp_path / "said.txt") == 1
    assert "DOES NOT HOLD: " in capsys.readouterr().out
