"""The warm parent builds Triton's driver module; Triton then gets that one and builds none."""

from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
import triton.backends.nvidia.driver as nvidia

from kernelbenchx.worker.driver_module import build_ahead


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Names of modules that were built, in place of a C compiler."""
    names: list[str] = []

    def compile_module_from_src(*, name: str, **_: Any) -> Any:
        names.append(name)
        return mock.Mock()

    monkeypatch.setattr(nvidia, "compile_module_from_src", compile_module_from_src)
    monkeypatch.setattr(nvidia, "library_dirs", list)
    yield names
    if hasattr(nvidia.CudaUtils, "instance"):
        del nvidia.CudaUtils.instance


def test_the_module_is_built_once(built: list[str]) -> None:
    assert build_ahead()
    assert built == ["cuda_utils"]
    nvidia.CudaUtils()
    nvidia.CudaUtils()
    assert built == ["cuda_utils"]


def test_other_modules_are_still_built(built: list[str]) -> None:
    assert build_ahead()
    nvidia.compile_module_from_src(src="int x;", name="other")
    assert built == ["cuda_utils", "other"]


def test_without_a_compiler_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: Any) -> Any:
        raise RuntimeError("no C compiler")

    monkeypatch.setattr(nvidia, "compile_module_from_src", refuse)
    monkeypatch.setattr(nvidia, "library_dirs", list)
    assert not build_ahead()
    assert nvidia.compile_module_from_src is refuse
