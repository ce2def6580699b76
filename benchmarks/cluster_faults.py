"""Nodes, actors, raylets and the driver are killed: does the run lose or double anything?

    python benchmarks/cluster_faults.py [--runs 10] [--kernels 300] [--share 0.1] [--seed 1]

Three nodes of a Ray cluster on this machine judge so many samples of the demo, of which a share
never ends. In each run, at moments drawn from the seed, one node is killed as by a power cut, one
raylet alone, one actor, and the driver (SIGKILL for all). Nodes are added again and the driver is
started again by the same command. Printed are how the verdicts compare with those of a run on this
machine alone, how many rows there are for each kernel, and which processes of kbx live 10 seconds
after the driver. Exit code 1 if anything differs.
"""

import argparse
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from _ray_nodes import WHAT, Nodes, Seen, driver, write_kernels

SEED = "20260101"
_AFTER_S = 10.0
_LOOK_EVERY_S = 0.5
_DRIVER = "driver"

Table = list[tuple[str, str, str]]


@dataclass(frozen=True)
class Fault:
    """Something is killed when so many submissions have their verdict."""

    after: int
    what: str


def main() -> int:
    """All runs, and a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--kernels", type=int, default=300)
    parser.add_argument("--share", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kbx-faults-") as name, Seen() as seen:
        folder = Path(name)
        (folder / "kernels").mkdir()
        write_kernels(folder / "kernels", options.kernels, options.share)
        alone = folder / "alone"
        subprocess.run(_command(folder, alone), check=True, stdout=subprocess.DEVNULL)
        expected = read_table(alone)
        bad = 0
        for number in range(options.runs):
            chance = random.Random(options.seed * 1000 + number)
            bad += _run(folder, folder / f"run{number}", expected, chance, seen)
    print(f"{options.runs - bad} of {options.runs} runs have the verdicts of one machine")
    return int(bad > 0)


def plan_faults(count: int, chance: random.Random) -> list[Fault]:
    """One of each kind, in any order, between the first verdict and the last but one."""
    kinds = [*WHAT, _DRIVER]
    chance.shuffle(kinds)
    moments = sorted(chance.randrange(1, max(2, count - 1)) for _ in kinds)
    return [Fault(after, what) for after, what in zip(moments, kinds, strict=True)]


def compare(expected: Table, found: Table) -> list[str]:
    """What is lost, doubled or different."""
    names = [name for name, *_ in found]
    wanted = {name: rest for name, *rest in expected}
    said = [f"lost {name}" for name in wanted if name not in names]
    said += [f"{names.count(name)} rows of {name}" for name in set(names) if names.count(name) > 1]
    return said + [
        f"{name}: {' '.join(rest)}, not {' '.join(wanted.get(name, ['nothing']))}"
        for name, *rest in found
        if rest != wanted.get(name)
    ]


def read_table(run: Path) -> Table:
    """Name, outcome and reason of every row; empty before the run has any."""
    if not (run / "run.sqlite").is_file():
        return []
    asked = "SELECT submission, outcome, reason FROM evaluations ORDER BY submission"
    with closing(sqlite3.connect(f"file:{run / 'run.sqlite'}?mode=ro", uri=True)) as connection:
        try:
            return [(str(a), str(b), str(c)) for a, b, c in connection.execute(asked)]
        except sqlite3.OperationalError:  # it has no tables yet
            return []


def _run(folder: Path, out: Path, expected: Table, chance: random.Random, seen: Seen) -> bool:
    """One run with its faults; whether anything is wrong with it."""
    began, nodes = time.monotonic(), Nodes(3)
    faults = plan_faults(len(expected), chance)
    words = ", ".join(f"{one.what} after {one.after}" for one in faults)
    try:
        starts = _judge_all(folder, out, nodes, faults, chance)
        left = seen.ours_after(_AFTER_S)
        wrong = compare(expected, read_table(out)) + [f"left running: {one}" for one in left]
    finally:
        nodes.close()
    again = _count(out, "node_attempt > 1")
    print(
        f"{out.name}: killed {words}; {starts} starts, {again} judged after a loss, "
        f"{time.monotonic() - began:.0f} s: {'; '.join(wrong) or 'as on one machine'}",
        flush=True,
    )
    return bool(wrong)


def _judge_all(
    folder: Path, out: Path, nodes: Nodes, faults: Sequence[Fault], chance: random.Random
) -> int:
    """Starts the driver until it ends by itself; how often."""
    left, starts = list(faults), 0
    while True:
        starts += 1
        address = ("--engine", "ray", "--address", nodes.address)
        with driver(*_words(folder, out), *address) as process:
            while process.poll() is None:
                time.sleep(_LOOK_EVERY_S)
                if left and len(read_table(out)) >= left[0].after:
                    if left[0].what == _DRIVER:
                        process.kill()
                        process.wait()
                    elif not nodes.kill(left[0].what, chance):
                        continue  # no actor is warm yet
                    elif left[0].what != "actor":
                        nodes.add()
                    left.pop(0)
        if process.returncode == 0:
            return starts
        if process.returncode > 0:
            raise SystemExit(f"the driver ended with {process.returncode}")


def _count(run: Path, condition: str) -> int:
    with closing(sqlite3.connect(f"file:{run / 'run.sqlite'}?mode=ro", uri=True)) as connection:
        asked = f"SELECT count(*) FROM evaluations WHERE {condition}"
        return int(connection.execute(asked).fetchone()[0])


def _words(folder: Path, out: Path) -> list[str]:
    kernels = str(folder / "kernels")
    return ["eval", kernels, "--out", str(out), "--seed", SEED, "--device", "interpreter"]


def _command(folder: Path, out: Path) -> list[str]:
    program = "from kernelbenchx.cli.main import main; main()"
    return [sys.executable, "-c", program, *_words(folder, out)]


if __name__ == "__main__":
    sys.exit(main())
