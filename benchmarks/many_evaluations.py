"""Writes an invented run of many evaluations, for measuring what reads runs.

    python benchmarks/many_evaluations.py FOLDER [--evaluations 100000] [--gpu "NVIDIA H200"]

184 tasks, 5 methods, 3 rounds, and as many samples of each as it takes. Kernels, verdicts and
times are drawn from a seed; none was ever run. Two runs of one seed on two cards hold the same
kernels with other times.
"""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from many_runs import write_run

TASKS, METHODS, ROUNDS = 184, 5, 3


def main() -> None:
    """Write one run and say how large it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--evaluations", type=int, default=100_000)
    parser.add_argument("--gpu", default="NVIDIA H200")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if (options.folder / "run.sqlite").exists():
        parser.error(f"{options.folder} holds a run already")
    started = time.monotonic()
    count = write_run(
        options.folder,
        tasks=TASKS,
        methods=METHODS,
        rounds=ROUNDS,
        samples=samples_for(options.evaluations),
        seed=options.seed,
        gpu=options.gpu,
    )
    size = (options.folder / "run.sqlite").stat().st_size
    print(f"{count} evaluations, {size / 1e6:.0f} MB, {time.monotonic() - started:.1f} s")


def samples_for(evaluations: int) -> int:
    """Samples of each task, method and round that make at least so many."""
    return -(-evaluations // (TASKS * METHODS * ROUNDS))


if __name__ == "__main__":
    main()
