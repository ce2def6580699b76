"""Where compiled references are kept: apart by torch and card, and where nobody else can write."""

from pathlib import Path

import pytest
import torch

from kernelbenchx.measure.compile_cache import compile_environment, compile_folder, kept_folder


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
