import ctypes
import importlib.metadata
from types import SimpleNamespace
from typing import Any

import pytest

from kernelbenchx.evaluate import machine
from kernelbenchx.evaluate.machine import environment, find_gpu_target, has_gpu, read_gpu_name


def test_versions_are_those_installed() -> None:
    here = environment("interpreter")
    assert here.torch == importlib.metadata.version("torch")
    assert here.triton == importlib.metadata.version("triton")
    assert here.gpu == ""


def _driver(devices: int, code: int) -> SimpleNamespace:
    def count(place: Any) -> int:
        place._obj.value = devices
        return 0

    return SimpleNamespace(cuInit=lambda _flags: code, cuDeviceGetCount=count)


@pytest.mark.parametrize(
    ("torch", "devices", "code", "found"),
    [
        ("2.11.0+cu130", 1, 0, True),
        ("2.11.0", 2, 0, True),
        ("2.13.0+cpu", 1, 0, False),
        ("2.11.0+cu130", 0, 0, False),
        ("2.11.0+cu130", 1, 100, False),
    ],
)
def test_a_card_needs_a_driver_a_device_and_a_torch_for_it(
    torch: str, devices: int, code: int, found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda _name: torch)
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: _driver(devices, code))
    assert has_gpu() is found


def test_without_a_driver_there_is_no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_name: str) -> None:
        raise OSError("no such library")

    monkeypatch.setattr(importlib.metadata, "version", lambda _name: "2.11.0")
    monkeypatch.setattr(ctypes, "CDLL", missing)
    assert not has_gpu()


@pytest.mark.parametrize(
    ("capability", "code", "target"),
    [((9, 0), 0, "sm_90"), ((8, 9), 0, "sm_89"), ((7, 5), 0, ""), ((9, 0), 100, "")],
)
def test_a_card_is_compiled_for_by_its_capability(
    capability: tuple[int, int], code: int, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def device(place: Any, index: int) -> int:
        place._obj.value = 40 + index
        return 0

    def attribute(place: Any, number: int, device: Any) -> int:
        asked.append(device.value)
        place._obj.value = capability[number - 75]
        return code

    driver = SimpleNamespace(
        cuInit=lambda _flags: 0, cuDeviceGet=device, cuDeviceGetAttribute=attribute
    )
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: driver)
    assert find_gpu_target(2) == target
    assert set(asked) == {42}


def test_without_a_driver_nothing_is_compiled_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_name: str) -> None:
        raise OSError("no such library")

    monkeypatch.setattr(ctypes, "CDLL", missing)
    assert find_gpu_target(0) == ""
    assert read_gpu_name(0) == "unknown"


@pytest.mark.parametrize(("code", "name"), [(0, "Some Card"), (1, "unknown")])
def test_a_card_is_called_what_its_driver_says(
    code: int, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def say(place: Any, size: int, _device: Any) -> int:
        assert size == len(place)
        place.value = b"Some Card"
        return code

    driver = SimpleNamespace(cuInit=lambda _flags: 0, cuDeviceGet=lambda *_: 0, cuDeviceGetName=say)
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: driver)
    assert read_gpu_name(0) == name


def test_what_is_not_installed_has_no_version_and_no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(machine, "gpu_count", lambda: 1)
    monkeypatch.setattr(importlib.metadata, "version", lambda _name: "2.11.0+cu128")
    assert machine.has_gpu()
    monkeypatch.setattr(importlib.metadata, "version", missing)
    assert not machine.has_gpu()
    found = machine.environment.__wrapped__("interpreter")
    assert (found.torch, found.triton) == ("", "") and found.python
