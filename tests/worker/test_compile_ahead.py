"""Compiled in one process, found compiled in another: real children, no card."""

import importlib
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.measure.input_layout import describe_call, layout_for
from kernelbenchx.runner.compiled_frames import foresees_obstacle, kernels_in, pack_compiled
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.orders import CallPlan, write_order
from kernelbenchx.spec.call import call
from kernelbenchx.worker import main
from kernelbenchx.worker.compile_ahead import build_module
from kernelbenchx.worker.frames import pack, unpack
from kernelbenchx.worker.limits import Limits

KERNEL = """
import torch
import triton
import triton.language as tl
from triton.backends.nvidia.compiler import CUDABackend

stages, entered = CUDABackend.add_stages, []

def enter(*args, **kwargs):
    entered.append(1)
    return stages(*args, **kwargs)

CUDABackend.add_stages = enter

@triton.jit
def double(x, y, n, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    tl.store(y + at, 2 * tl.load(x + at, mask=at < n), mask=at < n)

"""
PLAIN = """
def f(x):
    y = torch.empty_like(x)
    double[(triton.cdiv(x.numel(), 64),)](x, y, x.numel(), SIZE=64)
    print("called", x.device, bool((x == 0).all()), "compiled", len(entered))
    return y
"""
TUNED = """
tuned = triton.autotune([triton.Config({"SIZE": 16 << n}) for n in range(4)], ["n"])(double)

def f(x):
    y = torch.empty_like(x)
    tuned[lambda meta: (triton.cdiv(x.numel(), meta["SIZE"]),)](x, y, x.numel())
    print("called", tuned.best_config.kwargs["SIZE"])
    print("compiled", len(entered))
"""
DEPENDS = """
def f(x):
    y = torch.empty_like(x)
    double[(1 + VALUE,)](x, y, x.numel(), SIZE=64)
    return y
"""
MODULE = """
class Double(torch.nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(features))

    def forward(self, x):
        y = torch.empty_like(x)
        double[(1,)](self.weight, y, x.numel(), SIZE=64)
        print("called", x.shape[0], "compiled", len(entered))

f = Double
"""


@dataclass
class Compiler:
    """Sends orders to children of the warm compiler."""

    pipeline: Pipeline
    folder: Path

    def run(self, source: str, *forms: str, **fields: Any) -> tuple[Ending, bytes]:
        """How the child ended, and what it compiled."""
        plan = CallPlan(
            mode="ahead", source=source, entries=("f",), form="function", language="triton",
            seed=7, calls=(), layouts=forms,
        )  # fmt: skip
        write_order(self.folder / "order", replace(plan, **fields))
        zygote = self.pipeline.workers.zygotes["compile"]
        ours, theirs = socket.socketpair()
        with ours, theirs:
            ours.shutdown(socket.SHUT_WR)
            result = self.folder / "result"
            ending = zygote.run(self.folder / "order", result, Limits(), theirs.fileno())
        return ending, pack_compiled(result.read_bytes())


@pytest.fixture
def compiler(pipeline: Pipeline, tmp_path: Path) -> Compiler:
    return Compiler(pipeline, tmp_path)


def _form(x: torch.Tensor) -> str:
    return layout_for(describe_call(call(x)), 0, 1, "function").to_json()


X = _form(torch.ones(64))


def _entries(blob: bytes) -> list[str]:
    return [frame.header["files"][0][0].partition("/")[0] for frame in unpack(blob)]


def test_what_was_compiled_is_not_compiled_again(compiler: Compiler) -> None:
    ending, blob = compiler.run(KERNEL + PLAIN, X)
    assert ending.log == "called cuda:0 True compiled 1\n" and len(_entries(blob)) == 1
    again, more = compiler.run(KERNEL + PLAIN, X, compiled=blob)
    assert again.log == "called cuda:0 True compiled 0\n" and more == b""


def test_what_its_kernels_need_is_told_also_where_all_was_compiled_before(
    compiler: Compiler,
) -> None:
    _, blob = compiler.run(KERNEL + PLAIN, X)
    for known in (b"", blob):
        compiler.run(KERNEL + PLAIN, X, compiled=known)
        (kernel,) = kernels_in((compiler.folder / "result").read_bytes())
        assert (kernel["name"], kernel["ok"], kernel["configuration"]) == ("double", True, None)
        assert kernel["registers"] > 0 and kernel["spills"] == kernel["shared_bytes"] == 0
    compiler.run(KERNEL + TUNED, X, all_configurations=True)
    tuned = kernels_in((compiler.folder / "result").read_bytes())
    assert len(tuned) > 1 and all(one["configuration"] for one in tuned)
    compiler.run("raise ValueError" + PLAIN, X)
    assert kernels_in((compiler.folder / "result").read_bytes()) == []


def test_another_form_is_compiled_and_only_that_is_told(compiler: Compiler) -> None:
    _, blob = compiler.run(KERNEL + PLAIN, X)
    other = _form(torch.ones(64, dtype=torch.float16))
    ending, more = compiler.run(KERNEL + PLAIN, X, other, compiled=blob)
    assert ending.log.splitlines()[-1].endswith("compiled 1")
    assert len(_entries(more)) == 1 and _entries(more) != _entries(blob)


def test_a_broken_blob_costs_only_time(compiler: Compiler) -> None:
    _, blob = compiler.run(KERNEL + PLAIN, X)
    broken = b"".join(pack(one.header, bytes(len(one.payload))) for one in unpack(blob))
    ending, _ = compiler.run(KERNEL + PLAIN, X, compiled=broken)
    assert ending.log == "called cuda:0 True compiled 1\n"


@pytest.mark.parametrize(("seed", "other"), [(7, 8), (8, 7)])
def test_the_seed_draws_as_on_a_card_unless_all_are_wanted(
    compiler: Compiler, seed: int, other: int
) -> None:
    sizes = [_form(torch.ones(n)) for n in (64, 80, 96, 112)]
    drawn, few = compiler.run(KERNEL + TUNED, *sizes, seed=seed)
    anew, _ = compiler.run(KERNEL + TUNED, *sizes, seed=other, compiled=few)
    assert _lines(anew, "called") != _lines(drawn, "called")
    again, none = compiler.run(KERNEL + TUNED, *sizes, seed=seed, compiled=few)
    assert _lines(again, "called") == _lines(drawn, "called")
    assert _lines(again, "compiled") == ["compiled 0"] * 4 and none == b""
    whole, rest = compiler.run(KERNEL + TUNED, sizes[0], all_configurations=True, compiled=few)
    told = kernels_in((compiler.folder / "result").read_bytes())
    assert len({repr(kernel["configuration"]) for kernel in told}) == 4
    assert "compiled 4" not in _lines(whole, "compiled")  # what was drawn is there already
    # How many files a kernel has depends on Triton's version; nothing is missing now.
    last, none = compiler.run(
        KERNEL + TUNED, sizes[0], all_configurations=True, compiled=few + rest
    )
    assert set(_lines(last, "compiled")) == {"compiled 0"} and none == b""


def _lines(ending: Ending, word: str) -> list[str]:
    return [line for line in ending.log.splitlines() if line.startswith(word)]


@pytest.mark.parametrize(("value", "foreseen"), [("0", False), ("int(x[0])", True)])
def test_who_is_to_be_timed_says_whether_it_can_be_replayed(
    compiler: Compiler, value: str, foreseen: bool
) -> None:
    ending, _ = compiler.run(
        KERNEL + DEPENDS.replace("VALUE", value), _form(torch.ones(64)), all_configurations=True
    )
    assert ending.clean
    assert foresees_obstacle((compiler.folder / "result").read_bytes()) is foreseen


def test_a_module_is_built_over_zeros(compiler: Compiler) -> None:
    whole = replace(call(torch.ones(8, 64)), init=(64,), state={"weight": torch.ones(64)})
    form = layout_for(describe_call(whole), 0, 1, "module").to_json()
    ending, blob = compiler.run(KERNEL + MODULE, form, form="module")
    assert ending.log == "called 8 compiled 1\n" and len(_entries(blob)) == 1
    assert compiler.run(KERNEL + MODULE, form, form="function")[1] == b""


@pytest.mark.parametrize(
    "trouble", ["raise ValueError", "raise SystemExit", "import os; os._exit(3)"]
)
def test_whatever_happens_what_was_compiled_by_then_counts(
    compiler: Compiler, trouble: str
) -> None:
    fails = PLAIN.replace("return y", f"{trouble}\n")
    _, blob = compiler.run(KERNEL + fails, X)
    assert len(_entries(blob)) == 1
    ending, none = compiler.run(KERNEL + trouble + PLAIN, X)
    assert none == b"" and "called" not in ending.log


@pytest.mark.parametrize(("mode", "found"), [("cuda", True), ("timing", True), ("compile", False)])
def test_processes_of_a_submission_find_the_files_when_it_is_loaded(
    compiler: Compiler, mode: str, found: bool
) -> None:
    blob = pack({"kind": "compiled", "files": [["ABC/x", 2]]}, b"ok")
    source = "import os, pathlib\nplace = pathlib.Path(os.environ['TRITON_CACHE_DIR'], 'ABC/x')\n"
    source += "print(place.exists() and place.read_text())\ndef f(): pass\n"
    ending, _ = compiler.run(source, mode=mode, compiled=blob)
    assert ending.log == ("ok\n" if found else "False\n")


def test_who_replays_or_runs_a_test_gets_no_files() -> None:
    without = {"replay", "own_test", "published_test"}
    assert set(main.PROGRAMS) - set(main._TAKES_COMPILED) == without


@pytest.mark.parametrize("fails", [False, True])
def test_a_module_for_launching_is_built_where_that_can_be(
    monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    asked: list[Any] = []

    def launcher(source: Any, metadata: Any) -> None:
        asked.append((source, metadata))
        if fails:
            raise AssertionError("libcuda.so cannot found!")

    driver = SimpleNamespace(CudaLauncher=launcher, make_launcher=None)
    _import(monkeypatch, lambda _name: driver)
    assert build_module(1, 2) is not fails
    assert asked == [(1, 2)]


def test_later_versions_need_no_module(monkeypatch: pytest.MonkeyPatch) -> None:
    _import(monkeypatch, lambda _name: SimpleNamespace(CudaLauncher=None))
    assert not build_module(1, 2)


def _import(monkeypatch: pytest.MonkeyPatch, how: Callable[[str], Any]) -> None:
    monkeypatch.setattr(importlib, "import_module", how)
