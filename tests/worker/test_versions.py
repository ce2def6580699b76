"""Tested versions of triton are let in; all others are refused in one line."""

import importlib.metadata

import pytest

from kernelbenchx.worker.versions import UntestedTriton, require_tested


@pytest.mark.parametrize("version", ["3.6.0", "3.6.1", "3.7.1", "3.6.0+git9844da95"])
def test_tested_versions_are_let_in(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda _: version)
    require_tested()


@pytest.mark.parametrize("version", ["3.5.1", "3.7.0", "3.7.2", "3.8.0", "3.60.0", "13.6.0"])
def test_other_versions_are_refused(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda _: version)
    with pytest.raises(UntestedTriton) as refused:
        require_tested()
    assert str(refused.value) == (
        f"triton {version} is not supported; tested versions: 3.6.* and 3.7.1"
    )


def test_a_missing_triton_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(UntestedTriton, match="triton is not installed"):
        require_tested()
