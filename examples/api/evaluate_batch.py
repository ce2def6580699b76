"""Evaluate 64 kernels with 8 workers; results come in the order of the sources.

    python examples/api/evaluate_batch.py [exe]

Only the sources are checked, which takes a second. With `exe` every kernel also runs.
"""

import sys
from collections import Counter

import kernelbenchx as kbx

COUNT = 64
DEADLINE_S = 600.0


def write_sources() -> list[str]:
    """The witness of relu with other block sizes; every eighth has a syntax error."""
    witness = kbx.task("relu").witness
    sources = [witness.replace("1024", str(256 << number % 4)) for number in range(COUNT)]
    for number in range(0, COUNT, 8):
        sources[number] = sources[number].replace("def relu(", "def relu((")
    return [f"{source}\n# sample {number}\n" for number, source in enumerate(sources)]


def main(stage: str = "check") -> None:
    """Print each verdict as soon as it and all before it are known."""
    counts: Counter[str] = Counter()
    with kbx.Evaluator(device="interpreter", stage=stage, jobs=8) as evaluator:
        results = evaluator.map(write_sources(), task="relu", deadline_s=DEADLINE_S)
        for number, result in enumerate(results):
            counts[result.verdict] += 1
            print(f"{number:2} {result.verdict}")
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
