"""Compares how long `kbx compile` and `kbx eval` take for the demo submissions.

    python benchmarks/compile_and_evaluate.py [--repeat 2] [NAME ...]

Both run in one process with warm workers, one submission at a time, after one of each to warm up,
in turns; the least time of each counts. Submissions that neither runs, and one that never ends,
are left out. Exit code 1: compiling takes longer in total.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.cross_compile import compile_submission
from kernelbenchx.evaluate.intake import read_intake
from kernelbenchx.evaluator import Evaluator

DEMO = Path(__file__).resolve().parents[1] / "examples" / "submissions"
LEFT_OUT = ("avg_pool1d__syntax_error", "relu__in_cuda", "relu__torch_only", "sum__spins",
            "relu__reads_the_disk")  # fmt: skip


def main() -> None:
    """Print a row for each submission and the sums."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("names", nargs="*")
    asked = parser.parse_args()
    every = [one for one in read_intake([DEMO]).submissions if one.name not in LEFT_OUT]
    chosen = [one for one in every if not asked.names or one.name in asked.names]
    with Evaluator(Settings(device="interpreter", jobs=1)) as evaluator:
        pipeline = evaluator.session.pipeline
        ways: dict[str, Callable[[Submission], object]] = {
            "compile": lambda one: compile_submission(pipeline, one),
            "eval": pipeline.evaluate,
        }
        for way in ways.values():
            way(chosen[0])
        print(f"{'submission':30} {'compile s':>10} {'eval s':>10}")
        sums = dict.fromkeys(ways, 0.0)
        for one in chosen:
            least = dict.fromkeys(ways, float("inf"))
            for _ in range(asked.repeat):
                for name, way in ways.items():
                    least[name] = min(least[name], _seconds(way, one))
            for name, seconds in least.items():
                sums[name] += seconds
            print(f"{one.name:30} {least['compile']:10.2f} {least['eval']:10.2f}", flush=True)
    print(f"{'all':30} {sums['compile']:10.2f} {sums['eval']:10.2f}")
    sys.exit(sums["compile"] > sums["eval"])


def _seconds(way: Callable[[Submission], object], one: Submission) -> float:
    began = time.monotonic()
    way(one)
    return time.monotonic() - began


if __name__ == "__main__":
    main()
