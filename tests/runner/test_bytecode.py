"""Bytecode is kept where packages came without it, and nowhere else."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernelbenchx.runner import bytecode


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "lately_installed"
    folder.mkdir()
    (folder / "__init__.py").write_text("VALUE = 1\n")
    bytecode.folder.cache_clear()
    yield folder
    bytecode.folder.cache_clear()


def _imported(python: list[str], environment: dict[str, str] | None, where: Path) -> None:
    program = f"import sys; sys.path.insert(0, {str(where)!r}); import lately_installed"
    subprocess.run([sys.executable, *python, "-c", program], check=True, env=environment)


def test_a_package_with_bytecode_needs_no_other(package: Path) -> None:
    assert not bytecode.beside_sources("lately_installed")
    _imported([], {}, package.parent)
    assert bytecode.beside_sources("lately_installed")
    assert bytecode.beside_sources("never_installed")


def test_without_it_the_cache_has_a_place(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bytecode, "beside_sources", lambda name: name != "torch")
    assert bytecode.folder() == package.parent / "cache/kernelbenchx/bytecode"
    bytecode.folder.cache_clear()
    monkeypatch.setattr(bytecode, "beside_sources", lambda name: name == "torch")
    assert bytecode.folder() is None


@pytest.mark.parametrize("by_flag", [True, False])
def test_a_process_leaves_it_there_and_not_beside_the_sources(
    package: Path, tmp_path: Path, by_flag: bool
) -> None:
    kept = tmp_path / "kept"
    flags = ["-I", *bytecode.flags(kept)] if by_flag else []
    given = {} if by_flag else bytecode.environment(kept, {"PYTHONDONTWRITEBYTECODE": "1"})
    _imported(flags, given, package.parent)
    assert list(kept.rglob("__init__*.pyc"))
    assert not bytecode.beside_sources("lately_installed")


def test_where_nothing_is_kept_nothing_changes() -> None:
    given = {"PYTHONDONTWRITEBYTECODE": "1", "HOME": "/h"}
    assert bytecode.flags(None) == []
    assert bytecode.environment(None, given) == given
