import os
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

import msgspec
import pytest
import torch

from kernelbenchx.core.performance import Gpu, Observation
from kernelbenchx.core.record import to_json
from kernelbenchx.measure import peak_cache
from kernelbenchx.measure.peak_cache import (
    Measurer,
    is_kept,
    load_kept_gpu,
    load_or_measure_peaks,
    peak_file,
)

BARE = Gpu(name="NVIDIA H200", uuid="b4532c28", l2_bytes=60_000_000)
FULL = msgspec.structs.replace(
    BARE, bandwidth_gb_per_s=4200.0, tflops={"fp32": 51.0, "fp16": 780.0}
)


def quiet(own: Collection[int]) -> Observation:
    return Observation(other_processes=0)


def counted() -> tuple[Measurer, list[int]]:
    """A measurer, and how often it was asked."""
    asked: list[int] = []

    def measure() -> Gpu:
        asked.append(1)
        return FULL

    return measure, asked


def test_a_card_is_measured_once(tmp_path: Path) -> None:
    measure, asked = counted()
    path = peak_file(BARE, "2.11.0+cu130", tmp_path / "new")
    assert load_or_measure_peaks(BARE, path, measure, quiet) == FULL
    assert load_or_measure_peaks(BARE, path, measure, quiet) == FULL
    assert len(asked) == 1
    assert list(path.parent.iterdir()) == [path]


def test_what_was_kept_is_known_without_measuring(tmp_path: Path) -> None:
    measure, _ = counted()
    assert load_kept_gpu(BARE, tmp_path) is None and not is_kept(BARE.uuid, tmp_path)
    load_or_measure_peaks(BARE, peak_file(BARE, "0.9", tmp_path), measure, quiet)
    assert not is_kept(BARE.uuid, tmp_path), "of another torch"
    load_or_measure_peaks(BARE, peak_file(BARE, torch.__version__, tmp_path), measure, quiet)
    assert load_kept_gpu(BARE, tmp_path) == FULL and is_kept(BARE.uuid, tmp_path)
    assert not is_kept("another", tmp_path)
    assert load_kept_gpu(msgspec.structs.replace(BARE, uuid="ffff"), tmp_path) is None


def test_who_has_no_home_has_kept_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(_environment: object) -> Path:
        raise RuntimeError("could not determine home directory")

    monkeypatch.setattr(peak_cache, "cache_folder", nowhere)
    assert not is_kept("some")


def test_another_card_torch_or_folder_is_measured_again(tmp_path: Path) -> None:
    other = msgspec.structs.replace(BARE, uuid="ffff")
    files = {
        peak_file(BARE, "2.11", tmp_path),
        peak_file(BARE, "2.12", tmp_path),
        peak_file(other, "2.11", tmp_path),
        peak_file(BARE, "2.11", tmp_path / "elsewhere"),
    }
    assert len(files) == 4


def test_a_name_with_odd_characters_stays_in_the_folder(tmp_path: Path) -> None:
    odd = msgspec.structs.replace(BARE, uuid="../../etc")
    assert peak_file(odd, "2.11", tmp_path).parent == tmp_path


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[1, 2]",
        b'{"name": "NVIDIA H200", "surprise": 1}',
        to_json(BARE),
        to_json(msgspec.structs.replace(FULL, uuid="another")),
        to_json(msgspec.structs.replace(FULL, bandwidth_gb_per_s=-1.0)),
        to_json(msgspec.structs.replace(FULL, bandwidth_gb_per_s=float("inf"))),
        to_json(msgspec.structs.replace(FULL, bandwidth_gb_per_s=48_000.0)),
        to_json(msgspec.structs.replace(FULL, tflops={"fp16": float("nan")})),
    ],
)
def test_what_cannot_be_read_or_believed_is_measured_again(content: bytes, tmp_path: Path) -> None:
    measure, asked = counted()
    path = peak_file(BARE, "2.11", tmp_path)
    path.write_bytes(content)
    assert load_or_measure_peaks(BARE, path, measure, quiet) == FULL
    assert load_or_measure_peaks(BARE, path, measure, quiet) == FULL
    assert len(asked) == 1


def test_peaks_of_a_disturbed_card_are_used_and_not_kept(tmp_path: Path) -> None:
    measure, asked = counted()
    path = peak_file(BARE, "2.11", tmp_path)
    hot = Observation(throttled=("hardware thermal slowdown",))
    assert load_or_measure_peaks(BARE, path, measure, lambda _own: hot) == FULL
    assert not path.exists()
    assert load_or_measure_peaks(BARE, path, measure, quiet) == FULL
    assert len(asked) == 2
    assert path.exists()


@pytest.mark.parametrize("sibling", [False, True])
def test_references_do_not_disturb_what_is_kept_and_submissions_do(
    tmp_path: Path, sibling: bool
) -> None:
    """A reference is a child of the bench; who has a submission in it comes from its parent."""
    measure, _ = counted()
    path = peak_file(BARE, "2.11", tmp_path)
    command = [sys.executable, "-c", "input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as reference:

        def observe(own: Collection[int]) -> Observation:
            on_the_card = {os.getpid(), reference.pid, *([os.getppid()] if sibling else [])}
            return Observation(other_processes=len(on_the_card - set(own)))

        assert load_or_measure_peaks(BARE, path, measure, observe) == FULL
        reference.kill()
    assert path.exists() is not sibling


def test_peaks_measured_beside_a_stranger_are_not_kept(tmp_path: Path) -> None:
    measure, _ = counted()
    path = peak_file(BARE, "2.11", tmp_path)
    seen = [Observation(other_processes=0), Observation(other_processes=1)]
    assert load_or_measure_peaks(BARE, path, measure, lambda _own: seen.pop(0)) == FULL
    assert not path.exists()


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path: Path) -> None:
    measure, _ = counted()
    (tmp_path / "file").write_text("")
    path = peak_file(BARE, "2.11", tmp_path / "file" / "below")
    assert load_or_measure_peaks(BARE, path, measure, quiet) == FULL
