"""The child's side of a published test: seeds, the source as a program, results as one frame."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import torch

from kernelbenchx.worker import published_test
from kernelbenchx.worker.devices import redirect_cuda
from kernelbenchx.worker.frames import Frame, unpack
from kernelbenchx.worker.published_test import results_frame, serve
from kernelbenchx.worker.replies import Replies

PROGRAM = {
    "steps": [
        ["x", "randn", [[4]]],
        ["y", "call", ["$x"]],
        {"result": "first", "is": "$y"},
        {"result": "second", "is": ["$x", 3]},
    ]
}
SOURCE = "def double(x):\n    return x * 2\n"


@contextmanager
def _redirected(_header: dict[str, Any]) -> Iterator[None]:
    with redirect_cuda():
        yield


def _served(folder: Path, source: str, monkeypatch: pytest.MonkeyPatch) -> list[Frame]:
    """Without Triton's interpreter, which takes a process of its own."""
    monkeypatch.chdir(folder)
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])  # put back afterwards
    monkeypatch.setitem(published_test._SURROUNDINGS, True, _redirected)
    test = {"program": PROGRAM, "calls": "double", "needs": []}
    header: dict[str, Any] = {
        "published_test": test,
        "device": "cpu",
        "source": source,
        "seed": 0,
    }
    path = folder / "result"
    descriptor = os.open(path, os.O_CREAT | os.O_WRONLY)
    serve(header, Replies(descriptor))
    os.close(descriptor)
    return list(unpack(path.read_bytes()))


def test_results_are_those_of_the_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frames = _served(tmp_path, SOURCE, monkeypatch)
    kinds = [one.header["kind"] for one in frames]
    assert kinds == ["loaded", "call", "done"]
    torch.manual_seed(0)
    wanted = torch.randn(4)
    (call,) = [one for one in frames if one.header["kind"] == "call"]
    numbers = torch.frombuffer(bytearray(call.payload), dtype=torch.float32)
    assert torch.equal(numbers[:4], wanted * 2) and torch.equal(numbers[-4:], wanted)


@pytest.mark.parametrize(
    ("source", "stage", "key", "said"),
    [
        ("x = 1\n", "load", "", "name 'double' is not defined"),
        (SOURCE + "if __name__ == '__main__':\n    1 / 0\n", "load", "", "division by zero"),
        (SOURCE.replace("* 2", "@ 2"), "call", "first", "@"),
        (SOURCE.replace("x * 2", "exit(3)"), "call", "first", "3"),
    ],
)
def test_what_it_raises_is_told_with_the_result_it_was_for(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    source: str,
    stage: str,
    key: str,
    said: str,
) -> None:
    last = _served(tmp_path, source, monkeypatch)[-1].header
    assert (last["kind"], last["stage"], last["key"]) == ("error", stage, key)
    assert said in last["error"]["message"]


def test_the_reference_runs_the_same_program() -> None:
    torch.manual_seed(0)
    (frame,) = unpack(results_frame(PROGRAM, lambda x: x * 2, "cpu"))
    assert frame.header["kind"] == "call" and frame.header["devices"] == ["cpu", "cpu"]
