"""The environment of a worker is built from nothing."""

from pathlib import Path

import pytest

from kernelbenchx.runner import environment
from kernelbenchx.runner.environment import build_environment


def test_nothing_of_ours_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRITON_PTXAS_PATH", "/tmp/evil")
    monkeypatch.setenv("PATH", "/tmp/evil")
    for kind in ("interpret", "compile", "cuda", "ahead"):
        assert "evil" not in "".join(build_environment(kind, "/private").values())


def test_caches_and_home_are_private() -> None:
    variables = build_environment("compile", "/private")
    for name in ("HOME", "TMPDIR", "TRITON_CACHE_DIR"):
        assert variables[name].startswith("/private")


def test_only_the_cuda_kind_sees_a_card_and_only_interpret_interprets() -> None:
    assert build_environment("cuda", "/p")["CUDA_VISIBLE_DEVICES"] == "0"
    for kind in ("compile", "ahead"):
        assert build_environment(kind, "/p")["CUDA_VISIBLE_DEVICES"] == ""
    assert build_environment("interpret", "/p")["TRITON_INTERPRET"] == "1"
    assert "TRITON_INTERPRET" not in build_environment("cuda", "/p")


def test_who_links_with_the_driver_is_told_where_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "_LIBRARIES", (str(tmp_path), str(tmp_path / "missing")))
    for kind in ("cuda", "ahead"):
        assert build_environment(kind, "/p")["LD_LIBRARY_PATH"] == str(tmp_path)
    assert "LD_LIBRARY_PATH" not in build_environment("interpret", "/p")
