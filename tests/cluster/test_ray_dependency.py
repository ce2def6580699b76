"""Without Ray, or with one that is too old, one line says what to install."""

import importlib.metadata
import importlib.util

import pytest

from kernelbenchx.cluster.ray_dependency import require_ray
from kernelbenchx.core.errors import BadInput


def test_ray_that_is_there_is_enough() -> None:
    require_ray()


@pytest.mark.parametrize("version", ["2.51.3", "1.99.0"])
def test_an_old_ray_is_refused(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda _name: version)
    with pytest.raises(BadInput, match=f"2.52 or newer, this is {version}"):
        require_ray()


@pytest.mark.parametrize("version", ["2.52.0", "3.0.0"])
def test_a_new_ray_is_not(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda _name: version)
    require_ray()


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(BadInput, match=r"pip install 'kernelbenchx\[ray\]'"):
        require_ray()
