"""Kernels whose verdicts are compared: witnesses, near misses, controls, and those of files."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from kernelbenchx import catalog
from kernelbenchx.attacks.attack import controls
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.record import Record
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluator import read_submissions
from kernelbenchx.nearmisses.near_miss import near_misses


class KernelOrigin(StrEnum):
    """Where a kernel comes from."""

    WITNESS = "witness"
    NEAR_MISS = "near miss"
    CONTROL = "control"
    GIVEN = "given"


class StabilityKernel(Record, frozen=True, kw_only=True):
    """A submission that is judged under several seeds."""

    kind: KernelOrigin
    submission: Submission


def shipped_kernels(tasks: Iterable[str]) -> list[StabilityKernel]:
    """Witnesses, near misses and controls of these tasks that the interpreter can run."""
    return [kernel for task in tasks for kernel in _find_shipped(task)]


def read_kernels(paths: Sequence[Path]) -> list[StabilityKernel]:
    """All that can be judged in files, folders and data sets."""
    found = read_submissions(*paths).submissions if paths else []
    return [StabilityKernel(kind=KernelOrigin.GIVEN, submission=one) for one in found]


def draw_kernels(kernels: Sequence[StabilityKernel], count: int) -> list[StabilityKernel]:
    """So many of them, always the same ones, in their order."""
    chosen = sorted(range(len(kernels)), key=lambda at: _rank(kernels[at]))[:count]
    return [kernels[at] for at in sorted(chosen)]


def _find_shipped(task: str) -> Iterator[StabilityKernel]:
    if catalog.witness_path(task).is_file():
        yield _kernel(KernelOrigin.WITNESS, "witness", task, witness_source(task))
    for miss in near_misses(task):
        yield _kernel(KernelOrigin.NEAR_MISS, miss.clause, task, miss.source())
    for control in controls():
        runs = control.device != "cuda" and not control.unchecked
        if runs and catalog.select(control.task)[0] == task:
            yield _kernel(KernelOrigin.CONTROL, control.name, task, control.source)


def _kernel(kind: KernelOrigin, name: str, task: str, source: str) -> StabilityKernel:
    return StabilityKernel(kind=kind, submission=Submission(name=name, task=task, source=source))


def _rank(kernel: StabilityKernel) -> str:
    known = f"{kernel.submission.task} {kernel.submission.digest}"
    return hashlib.sha256(known.encode()).hexdigest()
