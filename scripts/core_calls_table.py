"""How many core calls in its first dtype each task has in every run, by what they show.

    python scripts/core_calls_table.py [--seeds N] [TASK ...]

For each task the least over N seeds, drawn as runs draw them. `calls`: all check calls; `core`:
those that need nothing beyond core; `first`: of these, in the task's first dtype; `telling`: of
these, over several tiles, with an odd tail, and where no trivial answer passes.

Several tiles: an argument or result has more than 1,024 elements. In convolutions, `fftn` and the
problems of levels 2 and 3 it is 256 (16 by 16); decompositions, whose matrices have a program each,
need several matrices. An odd tail: one of the sizes is no multiple of 16. Ends with how many tasks
have fewer than six telling calls in some seed.
"""

import argparse

import torch

from kernelbenchx import catalog
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.evaluate.calls import cases_of
from kernelbenchx.evaluate.trivial_answers import passes_trivially
from kernelbenchx.judge.correctness import truth_of
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.problem import Problem
from kernelbenchx.spec.required_scopes import resolve_needs
from kernelbenchx.spec.task import Task

ENOUGH = 6
TILE, SMALL_TILE, STEP = 1024, 256, 16
SMALL = ("convolution/conv2d", "convolution/conv_transpose2d", "math/fftn")
MATRICES = ("linear_algebra/qr", "linear_algebra/svd", "normalization/spectral_norm_eig")
Counts = tuple[int, int, int, int]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="*")
    parser.add_argument("--seeds", type=int, default=20)
    options = parser.parse_args()
    names = options.tasks or catalog.names()
    print(f"least over {options.seeds} seeds\n{'task':<72} calls  core first telling")
    few = []
    for name in names:
        each = [counted(name, seed) for seed in range(options.seeds)]
        calls, core, first, telling = (min(column) for column in zip(*each, strict=True))
        print(f"{name:<72} {calls:>5} {core:>5} {first:>5} {telling:>7}", flush=True)
        few += [name] if telling < ENOUGH else []
    print(f"{len(few)} of {len(names)} tasks have fewer than {ENOUGH} telling calls in some seed")
    print("\n".join(few))


def counted(name: str, seed: int) -> Counts:
    """Of one task and seed: all calls, core ones, those in the first dtype, and telling ones."""
    task = catalog.load(name)
    cases = cases_of(name, seed)
    if any(case.needs is None for case in cases):
        drawn = [(case, task.draw(case, derive_seed(seed, name, case.name))) for case in cases]
        needs = resolve_needs(task, drawn)
    else:
        needs = [case.needs or frozenset() for case in cases]
    core = [case for case, asked in zip(cases, needs, strict=True) if not asked]
    first = [case for case in core if is_in_first_dtype(task, case)]
    telling = sum(is_telling(name, task, case, seed) for case in first)
    return len(cases), len(core), len(first), telling


def is_in_first_dtype(task: Task, case: Case) -> bool:
    """Whether it says so; a task without an axis of dtypes has one alone."""
    axis = task.space.by_name.get("dtype") if task.space is not None else None
    return axis is None or case.params.get("dtype") in (None, axis.options[0].value)


def is_telling(name: str, task: Task, case: Case, seed: int) -> bool:
    """Whether a kernel must do work, over several tiles, and mask its last one."""
    call = task.draw(case, derive_seed(seed, name, case.name))
    given = [one for one in (*call.args, *call.kwargs.values()) if isinstance(one, torch.Tensor)]
    if name in MATRICES:
        spans = given[0].shape[:-2].numel() > 1 and has_odd_size(given[0])
    else:
        tile = SMALL_TILE if takes_small_tile(name, task) else TILE
        results = (leaf.value for leaf in task.native(call).leaves)
        spans = any(one.numel() > tile and has_odd_size(one) for one in (*given, *results))
    return spans and not passes_trivially(task, call, truth_of(task, call), task.calls(case))


def has_odd_size(one: torch.Tensor) -> bool:
    """Whether a size leaves a tail in every common tile."""
    return any(size % STEP for size in one.shape)


def takes_small_tile(name: str, task: Task) -> bool:
    """Whether a call over large tiles would cost too much in the interpreter."""
    return name in SMALL or (isinstance(task, Problem) and task.level > 1)


if __name__ == "__main__":
    main()
