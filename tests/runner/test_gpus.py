"""Which GPUs workers are shown: those of the judge, by UUID and in its order."""

import ctypes
from types import SimpleNamespace
from typing import Any

import pytest

from kernelbenchx.runner.environment import build_environment
from kernelbenchx.runner.gpus import gpu_count, gpu_uuid, visible_to_workers

FIRST, SECOND = (f"000{n}0203-0405-0607-0809-0a0b0c0d0e0f" for n in (1, 2))


def _driver(monkeypatch: pytest.MonkeyPatch, count: int = 2, code: int = 0) -> None:
    def device(place: Any, index: int) -> int:
        place._obj.value = index
        return 0

    def uuid(place: Any, which: Any) -> int:
        place.raw = bytes([0, which.value + 1, *range(2, 16)])
        return code

    def counted(place: Any) -> int:
        place._obj.value = count
        return 0

    driver = SimpleNamespace(
        cuInit=lambda _flags: 0,
        cuDeviceGet=device,
        cuDeviceGetUuid_v2=uuid,
        cuDeviceGetCount=counted,
    )
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: driver)


def test_a_uuid_is_written_as_torch_writes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    _driver(monkeypatch)
    assert (gpu_count(), gpu_uuid(0), gpu_uuid(1)) == (2, FIRST, SECOND)
    _driver(monkeypatch, code=1)
    assert gpu_uuid(0) == ""


def test_without_a_driver_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_name: str) -> None:
        raise OSError("no such library")

    monkeypatch.setattr(ctypes, "CDLL", missing)
    assert (gpu_count(), gpu_uuid(0)) == (0, "")
    assert visible_to_workers({}) == "0"
    assert visible_to_workers({"CUDA_VISIBLE_DEVICES": "3"}) == "3"


def test_workers_see_what_the_judge_sees_by_uuid(monkeypatch: pytest.MonkeyPatch) -> None:
    _driver(monkeypatch)  # of eight GPUs, Slurm gave the judge two: it numbers them from 0
    shown = f"GPU-{FIRST},GPU-{SECOND}"
    assert visible_to_workers({"CUDA_VISIBLE_DEVICES": "5,7"}) == shown
    assert build_environment("cuda", "/tmp/x")["CUDA_VISIBLE_DEVICES"] == shown
    assert build_environment("timed_problem", "/tmp/x")["CUDA_VISIBLE_DEVICES"] == shown
    assert build_environment("ahead", "/tmp/x")["CUDA_VISIBLE_DEVICES"] == ""
    _driver(monkeypatch, code=1)
    assert visible_to_workers({"CUDA_VISIBLE_DEVICES": "5,7"}) == "5,7"


def test_a_part_of_a_gpu_is_passed_on_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    _driver(monkeypatch, count=1)
    assert visible_to_workers({"CUDA_VISIBLE_DEVICES": "MIG-abc"}) == "MIG-abc"
