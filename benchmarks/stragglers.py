"""What kernels that never end cost the others: two slots, warm workers, no GPU.

    python benchmarks/stragglers.py [--pairs 5] [--kernels 100] [--share 0.3] [--only demo|many]

`demo`: seconds until the other samples of the demo have their verdicts, with the one that spins
among them (first in the queue) divided by without it, in pairs; the median counts. `many`: so many
kernels, of which a share spins, in an order drawn from a seed. Throughput is that of the others:
the time without the spinning ones divided by the time with them. Run it where nothing else runs:
the load of the machine before is printed too.
"""

import argparse
import os
import random
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

import kernelbenchx
from kernelbenchx import Evaluation, Evaluator, Submission, catalog, read_submissions, tasks
from kernelbenchx.evaluate.calls import ablated_cases, drawn_cases, repeated_case

DEMO = Path(kernelbenchx.__file__).parent / "demo"
SPINS = "sum__spins"
SEED = 20_260_101
MOST_RATIO, LEAST_THROUGHPUT = 1.4, 0.4


class Finished:
    """Notes when each submission has its verdict."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.at: dict[str, float] = {}

    def begin(self, total: int, finished: int) -> None:
        """Nothing to note."""

    def stage(self, submission: str, stage: str) -> None:
        """Nothing to note."""

    def done(self, evaluation: Evaluation) -> None:
        """One more has its verdict."""
        self.at[evaluation.submission] = time.monotonic() - self.started


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--kernels", type=int, default=100)
    parser.add_argument("--share", type=float, default=0.3)
    parser.add_argument("--only", choices=["demo", "many"])
    options = parser.parse_args()
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    if options.only != "many":
        _demo(options.pairs)
    if options.only != "demo":
        _many(options.kernels, options.share)


def _demo(pairs: int) -> None:
    samples = read_submissions(DEMO).submissions
    spinning = [one for one in samples if one.name == SPINS]
    others = [one for one in samples if one.name != SPINS]
    ratios = []
    for _ in range(pairs):
        without, among = seconds_of_others(others, []), seconds_of_others(others, spinning)
        ratios.append(among / without)
        print(f"{len(others)} others: {without:.1f} s without, {among:.1f} s with", flush=True)
    found = statistics.median(ratios)
    listed = ", ".join(f"{one:.2f}" for one in ratios)
    print(f"ratio: median {found:.2f} of {len(ratios)} ({listed}); at most {MOST_RATIO} is wanted")


def _many(count: int, share: float) -> None:
    spins = round(count * share)
    source = (DEMO / f"{SPINS}.py").read_text()
    spinning = [_numbered("spins", "reduce/sum", source, n) for n in range(spins)]
    witnesses = [task for task in tasks(*catalog.function_names()) if task.witness][: count - spins]
    others = [_numbered("honest", one.name, one.witness, n) for n, one in enumerate(witnesses)]
    without, among = seconds_of_others(others, []), seconds_of_others(others, spinning)
    print(f"{len(others)} others: {without:.1f} s without, {among:.1f} s with {spins} that spin")
    print(f"throughput: {without / among:.2f}; at least {LEAST_THROUGHPUT} is wanted")


def _numbered(name: str, task: str, source: str, number: int) -> Submission:
    """Each of its own content, so that each is judged."""
    text = f"{source}\nNUMBER = {number}\n"
    return Submission(name=f"{name}{number}", task=task, source=text)


def seconds_of_others(others: Sequence[Submission], spinning: Sequence[Submission]) -> float:
    """From the start of the batch until the last of the others has its verdict."""
    batch = [*spinning, *others]
    if len(spinning) > 1:
        random.Random(SEED).shuffle(batch)
    finished = Finished()
    with Evaluator(device="interpreter", jobs=2, seed=SEED) as evaluator:
        # Workers are warm and truths drawn before the clock starts: a run does both once.
        evaluator.evaluate(tasks("relu")[0].witness, task="relu")
        for task in dict.fromkeys(one.task for one in batch):
            for draw in (drawn_cases, ablated_cases, repeated_case):
                draw(task, SEED)  # type: ignore[operator]
        finished.started = time.monotonic()
        for _ in evaluator.map(batch, watcher=finished):
            pass
    return max(finished.at[one.name] for one in others)


if __name__ == "__main__":
    main()
