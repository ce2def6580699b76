"""Folders with tasks outside the package."""

import importlib.metadata
import os
from pathlib import Path

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog import task_folders
from kernelbenchx.catalog.certificates import PATH, kept_at
from kernelbenchx.catalog.task_folders import GROUP, VARIABLE, add_folder
from kernelbenchx.core.errors import BadInput, BrokenTask


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return _with_task(tmp_path / "mine", "math/square")


def _with_task(folder: Path, name: str) -> Path:
    file = folder / "tasks" / f"{name}.py"
    file.parent.mkdir(parents=True)
    file.write_text("TASK = None\n", encoding="utf-8")
    return folder


def test_a_named_folder_adds_its_tasks(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    assert "math/square" not in catalog.names()
    monkeypatch.setenv(VARIABLE, str(folder))
    assert catalog.is_added("math/square") and not catalog.is_added("math/add")
    assert {"math/square", "math/add"} <= set(catalog.names())
    assert kept_at("math/square") == folder / "certificates.json" and kept_at("math/add") == PATH
    with pytest.raises(BrokenTask, match=r"square\.py: TASK is a NoneType, expected a Task"):
        catalog.load("math/square")


def test_two_files_with_one_name_are_refused(
    monkeypatch: pytest.MonkeyPatch, folder: Path, tmp_path: Path
) -> None:
    monkeypatch.setenv(VARIABLE, str(folder))
    add_folder(_with_task(tmp_path / "twin", "math/add"))
    assert os.environ[VARIABLE].count(os.pathsep) == 1
    with pytest.raises(BrokenTask, match="two files are the task math/add"):
        catalog.names()
    with pytest.raises(BadInput, match="holds no tasks"):
        add_folder(tmp_path / "nowhere")


def test_the_name_of_a_task_can_be_printed(
    monkeypatch: pytest.MonkeyPatch, folder: Path, tmp_path: Path
) -> None:
    monkeypatch.setenv(VARIABLE, str(folder))
    assert "math/square" in catalog.names()
    add_folder(_with_task(tmp_path / "bad", "math/a\x1bb"))
    with pytest.raises(BadInput, match="the name of a task is text on one line"):
        catalog.names()


def test_an_installed_package_adds_its_tasks(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    (folder / "my_kernel_tasks.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    task_folders._installed_folders.cache_clear()
    point = importlib.metadata.EntryPoint("mine", "my_kernel_tasks", GROUP)
    monkeypatch.setattr(
        task_folders, "entry_points", lambda group: [point] if group == GROUP else []
    )
    assert "math/square" in catalog.names()
    task_folders._installed_folders.cache_clear()
    gone = importlib.metadata.EntryPoint("gone", "no_such_module", GROUP)
    monkeypatch.setattr(task_folders, "entry_points", lambda **_: [gone])
    with pytest.raises(BadInput, match=f"gone of {GROUP}: no module no_such_module"):
        catalog.names()
    task_folders._installed_folders.cache_clear()
