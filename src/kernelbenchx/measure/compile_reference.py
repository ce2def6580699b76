"""Compiles the reference of one task for all its timing cases, before it is needed.

`python -m kernelbenchx.measure.compile_reference TASK DEVICE SEED` prints one line of JSON. The
caller sets where torch stores compiled code. The seed is not the run's: other processes can read it
here.
"""

import os
import resource
import sys

import torch

from kernelbenchx import catalog
from kernelbenchx.core.performance import ReferenceCompilation
from kernelbenchx.core.record import to_json
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.measure.baseline import Baseline
from kernelbenchx.measure.input_layout import describe_call, layout_for
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.task import Task
from kernelbenchx.worker.capabilities import die_with_parent
from kernelbenchx.worker.order import Arguments

_SEEDS = 1 << 31


def compile_timing_cases(name: str, device: str, seed: int) -> ReferenceCompilation:
    """Compile them; what cannot be compiled is noted in the result."""
    task = catalog.load(name)
    program = Baseline("compile")
    program.load({"task": name}, b"")
    error, cases = "", 0
    for case in task.timings:
        try:
            arguments = _arguments(task, case, device, derive_seed(seed, name, case.name) % _SEEDS)
            program.prepare(arguments)
        except Exception as failed:  # noqa: BLE001 - a border: errors are only reported
            error = error or f"{case.name}: {type(failed).__name__}: {failed}"[:300]
        else:
            cases += 1
    return ReferenceCompilation(
        task=name,
        seconds=_read_cpu_seconds(),
        cases=cases,
        fell_back=program.fell_back,
        error=program.refusal or error,
    )


def _arguments(task: Task, case: Case, device: str, seed: int) -> Arguments:
    """Encode and decode the arguments as for a runner: torch then compiles the same there."""
    found = describe_call(task.draw(case, seed, device))
    storages = iter(found.storages)
    layout = layout_for(found, 0, 1, task.form)
    return layout.arguments(lambda _start, _size: next(storages), 0, torch.device(device))


def _read_cpu_seconds() -> float:
    """CPU time since this process began: it is stopped now and then."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return round(sum(one.ru_utime + one.ru_stime for one in used), 3)


def main() -> None:
    """One task, one line of output."""
    die_with_parent()
    os.nice(10)
    torch.set_num_threads(1)
    name, device, seed = sys.argv[1:]
    sys.stdout.write(to_json(compile_timing_cases(name, device, int(seed))).decode() + "\n")


if __name__ == "__main__":
    main()
