"""Caches measured peaks per GPU and torch version, in the user's cache folder."""

import contextlib
import math
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import torch

from kernelbenchx.core.cache import cache_folder
from kernelbenchx.core.performance import Gpu
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.measure.gpu_observer import Observer, find_disturbance, make_observer
from kernelbenchx.measure.own_processes import processes_of_runs
from kernelbenchx.measure.peaks import describe_gpu, measure_gpu
from kernelbenchx.measure.spec_sheets import sheet_of
from kernelbenchx.worker.processes import family

METHOD = 1
"""Raised when the way of measuring changes: cached peaks are then measured again."""
_TOO_GOOD = 1.1
"""A cached bandwidth this far above the data sheet was not measured."""

Measurer = Callable[[], Gpu]


def load_or_measure_gpu(device: str = "cuda:0", folder: Path | None = None) -> Gpu:
    """The GPU with its peaks: from the cache, or measured now and cached."""
    where = torch.device(device)
    bare = describe_gpu(where)
    return load_or_measure_peaks(
        bare, _file_of(bare, folder), lambda: measure_gpu(where), make_observer(bare.uuid)
    )


def load_kept_gpu(bare: Gpu, folder: Path | None = None) -> Gpu | None:
    """The GPU with its cached peaks, if there are any."""
    return _read(bare, _file_of(bare, folder))


def _file_of(bare: Gpu, folder: Path | None) -> Path:
    return peak_file(bare, torch.__version__, folder or cache_folder(os.environ))


def peak_file(card: Gpu, torch_version: str, folder: Path) -> Path:
    """One file for each GPU, torch version and way of measuring."""
    name = re.sub(r"[^A-Za-z0-9.+-]", "_", f"{card.uuid or card.name}-torch-{torch_version}")
    return folder / f"peaks-{METHOD}-{name}.json"


def load_or_measure_peaks(bare: Gpu, path: Path, measure: Measurer, observe: Observer) -> Gpu:
    """The cached peaks of this GPU, else measured ones.

    Peaks of a GPU that was slowed down or shared are used now, since nothing better is known, and
    not cached.
    """
    kept = _read(bare, path)
    if kept is not None:
        return kept
    own = {*family(os.getpid()), *processes_of_runs(bare.uuid)}  # requires that no submission runs
    before = observe(own)
    card = measure()
    if not find_disturbance(before, observe(own)):
        _write(card, path)
    return card


def is_kept(uuid: str, folder: Path | None = None) -> bool:
    """Whether peaks of a GPU are cached, checked without using it; they may still be rejected."""
    try:
        return _file_of(Gpu(name="", uuid=uuid), folder).is_file()
    except (OSError, RuntimeError):  # no home folder
        return False


def _read(bare: Gpu, path: Path) -> Gpu | None:
    try:
        kept = from_json(path.read_bytes(), Gpu)
    except (OSError, ValueError, msgspec.MsgspecError):
        return None
    return kept if _plausible(kept, bare) else None


def _plausible(kept: Gpu, bare: Gpu) -> bool:
    same = (kept.name, kept.uuid, kept.l2_bytes) == (bare.name, bare.uuid, bare.l2_bytes)
    peaks = (kept.bandwidth_gb_per_s, *kept.tflops.values())
    sheet = sheet_of(kept.name)
    stated = math.inf if sheet is None else _TOO_GOOD * sheet.bandwidth_gb_per_s
    return (
        same
        and bool(kept.tflops)
        and all(math.isfinite(peak) and peak > 0 for peak in peaks)
        and kept.bandwidth_gb_per_s <= stated
    )


def _write(card: Gpu, path: Path) -> None:
    """Write atomically; if nothing can be cached, the next run measures again."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(to_json(card))
            Path(name).replace(path)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
