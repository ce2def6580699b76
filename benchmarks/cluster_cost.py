"""What Ray costs: CPU seconds of the same kernels on this machine with and without it.

    python benchmarks/cluster_cost.py [--runs 5] [--kernels 60] [--slots 2]

Each pair judges so many samples of the demo twice with the same seed, warm: by `Evaluator` alone,
and by `Evaluator(engine="ray")`, which starts Ray on this machine. Counted is the CPU time of all
processes of the run while the batch is judged: judge, workers and everything of Ray. Run it where
nothing else runs: the load of the machine before is printed, too.
"""

import argparse
import os
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from _ray_nodes import cpu_s, write_kernels

from kernelbenchx import Evaluator, read_submissions
from kernelbenchx.cluster.engine import EngineChoice

SEED = 20_260_101
MOST_RATIO = 1.10


@dataclass(frozen=True)
class Cost:
    """Of one batch."""

    cpu_s: float
    wall_s: float
    verdicts: tuple[str, ...]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--kernels", type=int, default=60)
    parser.add_argument("--slots", type=int, default=2)
    options = parser.parse_args()
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    ratios = []
    for number in range(options.runs):
        order = ("local", "ray") if number % 2 == 0 else ("ray", "local")
        found = {name: measure(name, options.kernels, options.slots) for name in order}
        local, with_ray = found["local"], found["ray"]
        if local.verdicts != with_ray.verdicts:
            raise SystemExit("the verdicts differ")
        ratios.append(with_ray.cpu_s / local.cpu_s)
        print(f"local {_words(local)}; ray {_words(with_ray)}; {ratios[-1]:.3f}", flush=True)
    print(
        f"CPU seconds with Ray over without: median {statistics.median(ratios):.3f} of "
        f"{len(ratios)}; at most {MOST_RATIO:.2f} is wanted"
    )


def measure(engine: str, kernels: int, slots: int) -> Cost:
    """One batch with warm workers."""
    with tempfile.TemporaryDirectory(prefix="kbx-cost-") as name:
        write_kernels(Path(name), kernels + slots, 0.0)
        submissions = read_submissions(name).submissions
    choice = EngineChoice(name=engine, jobs=slots if engine == "ray" else None)
    with Evaluator(device="interpreter", jobs=slots, seed=SEED, engine=choice) as evaluator:
        list(evaluator.map(submissions[:slots]))  # loads torch, draws truths, starts everything
        cpu, wall = cpu_s(), time.monotonic()
        results = list(evaluator.map(submissions[slots:]))
        cpu, wall = cpu_s() - cpu, time.monotonic() - wall
    return Cost(cpu, wall, tuple(one.verdict for one in results))


def _words(cost: Cost) -> str:
    return f"{cost.cpu_s:.1f} CPU s, {cost.wall_s:.1f} s"


if __name__ == "__main__":
    main()
