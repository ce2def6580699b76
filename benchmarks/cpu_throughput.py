"""Without a GPU: how long a user waits for one kernel and for many, warm and cold, and for words.

    python benchmarks/cpu_throughput.py [--kernels 50] [--cold 6] [--times 5] [--json]

`first verdict` is from the start of `kbx eval` with one kernel until its outcome is printed, `one
kernel` until the command is over. Then so many kernels are evaluated by one `kbx eval` with its
warm parents: the witnesses of the catalogue (source checks, interpreter, compiler, judge), again
under other names until there are enough. `--cold` of them come once more with one fresh `kbx eval`
per kernel, as many at a time as there are cores. Run it where nothing else runs: the load of the
machine before is printed too.
"""

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from kernelbenchx import catalog, tasks

KBX = [sys.executable, "-m", "kernelbenchx"]
CORES = os.cpu_count() or 1
WORDS = (["--help"], ["tasks"], ["show", "gelu"])


def main() -> None:
    """Measure and print; nothing is kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kernels", type=int, default=50)
    parser.add_argument("--cold", type=int, default=6)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="kbx-throughput-") as folder:
        found = _measured(Path(folder), options)
    found = {"cores": CORES, "load": round(load, 2), **found}
    for line in [json.dumps(found)] if options.json else told(found):
        print(line)


def _measured(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    files = write(folder / "warm", options.kernels)
    waits = [first_verdict(files[0], folder / f"first-{n}") for n in range(options.times)]
    warm_s = evaluated([folder / "warm"], folder / "run", CORES)
    spread = files[:: max(1, len(files) // options.cold)][: options.cold]
    return {
        "times": options.times,
        "first_s": statistics.median(first for first, _ in waits),
        "one_s": statistics.median(whole for _, whole in waits),
        "kernels": len(files),
        "warm_s": warm_s,
        "cold": len(spread),
        "cold_s": _cold(spread, folder),
        "words": {" ".join(words): _median_s(words, options.times) for words in WORDS},
    }


def told(found: dict[str, Any]) -> list[str]:
    """Lines for people."""
    warm = found["kernels"] / found["warm_s"] * 3600
    cold = found["cold"] / found["cold_s"] * 3600
    median = f"(median of {found['times']})"
    return [
        f"cores: {found['cores']}, load before: {found['load']:.2f}",
        f"first verdict: {found['first_s']:.2f} s {median}",
        f"one kernel: {found['one_s']:.2f} s {median}",
        f"warm: {found['kernels']} kernels in {found['warm_s']:.1f} s, {warm:.0f} kernels an hour",
        f"cold: {found['cold']} kernels in {found['cold_s']:.1f} s, {cold:.0f} kernels an hour",
        f"warm / cold: {warm / cold:.1f}",
        *(f"kbx {words}: {took:.2f} s {median}" for words, took in found["words"].items()),
    ]


def write(folder: Path, count: int) -> list[Path]:
    """So many submissions, every one a witness."""
    folder.mkdir()
    files = []
    for number, task in zip(
        range(count), itertools.cycle(tasks(*catalog.function_names())), strict=False
    ):
        files.append(folder / f"{task.name.partition('/')[2]}__{number}.py")
        files[-1].write_text(task.witness + f"# copy {number}\n", encoding="utf-8")
    return files


def first_verdict(source: Path, out: Path) -> tuple[float, float]:
    """Seconds until the outcome is printed, and until the command is over."""
    command = [*KBX, "eval", str(source), "--device", "interpreter", "--out", str(out)]
    started = time.monotonic()
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stderr is not None
        said = [(line, time.monotonic() - started) for line in running.stderr]
    whole = time.monotonic() - started
    verdicts = [at for line, at in said if line.rstrip().endswith(": correct")]
    if running.returncode or len(verdicts) != 1:
        raise SystemExit(f"no verdict, or not the right one: {''.join(line for line, _ in said)}")
    return verdicts[0], whole


def evaluated(sources: list[Path], out: Path, jobs: int) -> float:
    """Wall clock of the whole command, start-up included; every kernel must be correct."""
    command = [*KBX, "eval", *map(str, sources), "--device", "interpreter", "--out", str(out)]
    took = _seconds(
        lambda: subprocess.run(
            [*command, "--jobs", str(jobs), "--json"], check=True, stdout=subprocess.DEVNULL
        )
    )
    asked = [*KBX, "query", str(out), "select count(*) from evaluations where outcome<>'correct'"]
    wrong = subprocess.run([*asked, "--json"], check=True, capture_output=True, text=True)
    if '"count(*)": 0' not in wrong.stdout:
        raise SystemExit(f"a witness is not correct: {wrong.stdout}")
    return took


def _cold(files: list[Path], folder: Path) -> float:
    def one(file: Path) -> float:
        return evaluated([file], folder / f"run-{file.stem}", 1)

    with ThreadPoolExecutor(max_workers=CORES) as pool:
        return _seconds(lambda: list(pool.map(one, files)))


def _median_s(words: list[str], times: int) -> float:
    def one() -> object:
        return subprocess.run([*KBX, *words], check=True, stdout=subprocess.DEVNULL)

    return statistics.median(_seconds(one) for _ in range(times))


def _seconds(work: Callable[[], object]) -> float:
    started = time.monotonic()
    work()
    return time.monotonic() - started


if __name__ == "__main__":
    main()
