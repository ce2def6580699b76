"""The warm parent loads what its children serve with."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from kernelbenchx.worker.preload import keeping_bytecode, load
from kernelbenchx.worker.settings import WorkerSettings

SETTINGS = WorkerSettings("plain", "L1", "same", "os:getpid", (), (), (), "/tmp")


def test_the_function_named_is_loaded_from_the_paths_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "lately_written.py").write_text("def serve(order, result):\n    return order\n")
    serve = load(replace(SETTINGS, main="lately_written:serve", paths=(str(tmp_path),)))
    assert serve.__name__ == "serve"
    assert sys.path[0] == str(tmp_path)
    del sys.modules["lately_written"]


def test_what_is_not_there_is_an_error() -> None:
    assert load(SETTINGS) is os.getpid  # type: ignore[comparison-overlap]
    with pytest.raises(AttributeError):
        load(replace(SETTINGS, main="os:nothing"))
    with pytest.raises(ModuleNotFoundError):
        load(replace(SETTINGS, main="nowhere_at_all:serve"))


@pytest.mark.parametrize(("prefix", "writes"), [("/somewhere", True), (None, False)])
def test_bytecode_is_left_only_where_a_folder_was_named_for_it(
    prefix: str | None, writes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", prefix)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    with keeping_bytecode():
        assert sys.dont_write_bytecode is not writes
    assert sys.dont_write_bytecode


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "loaded"), [("cuda", True), ("ahead", True), ("plain", False)])
def test_what_wrappers_need_late_is_there_before_they_run(kind: str, loaded: bool) -> None:
    code = (
        "import sys, torch; from kernelbenchx.worker.preload import load_more; "
        f"load_more({kind!r}); before = set(sys.modules); torch.broadcast_shapes((3, 1), (1, 4)); "
        "print(len(set(sys.modules) - before))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (int(ran.stdout) == 0) is loaded
