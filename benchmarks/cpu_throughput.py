"""Kernels an hour without a GPU, warm against cold, and how long the command line takes to start.

    python benchmarks/cpu_throughput.py [--copies 3] [--cold 6]

Every witness of the catalogue is evaluated (source checks, interpreter, compiler, judge), each
`--copies` times under different names, by one `kbx eval` with its warm parents; then `--cold` of
them once more with one fresh `kbx eval` process per kernel, as many at a time as there are cores.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from kernelbenchx import catalog
from kernelbenchx.catalog.witness import witness_source

KBX = [sys.executable, "-m", "kernelbenchx"]
CORES = os.cpu_count() or 1


def main() -> None:
    """Measure and print; nothing is kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--copies", type=int, default=3)
    parser.add_argument("--cold", type=int, default=6)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kbx-throughput-") as folder:
        files = _write(Path(folder) / "warm", options.copies)
        warm_s = _eval([Path(folder) / "warm"], Path(folder) / "run", CORES)
        spread = files[:: max(1, len(files) // options.cold)][: options.cold]
        cold_s = _cold(spread, Path(folder))
    warm, cold = len(files) / warm_s * 3600, len(spread) / cold_s * 3600
    print(f"cores: {CORES}")
    print(f"warm: {len(files)} kernels in {warm_s:.1f} s, {warm:.0f} kernels an hour")
    print(f"cold: {len(spread)} kernels in {cold_s:.1f} s, {cold:.0f} kernels an hour")
    print(f"warm / cold: {warm / cold:.1f}")
    for words in (["--help"], ["tasks"]):
        print(f"kbx {' '.join(words)}: {_start_s(words):.2f} s (median of 5)")


def _write(folder: Path, copies: int) -> list[Path]:
    folder.mkdir()
    files = []
    for copy in range(copies):
        for name in catalog.names():
            bare = name.partition("/")[2]
            files.append(folder / f"{bare}__{copy}.py")
            files[-1].write_text(witness_source(name) + f"# copy {copy}\n", encoding="utf-8")
    return files


def _eval(sources: list[Path], out: Path, jobs: int) -> float:
    """Wall clock of the whole command, start-up included; every kernel must be correct."""
    command = [*KBX, "eval", *map(str, sources), "--device", "interpreter", "--out", str(out)]
    started = time.monotonic()
    subprocess.run([*command, "--jobs", str(jobs), "--json"], check=True, stdout=subprocess.PIPE)
    took = time.monotonic() - started
    asked = [*KBX, "query", str(out), "select count(*) from evaluations where outcome<>'correct'"]
    wrong = subprocess.run([*asked, "--json"], check=True, capture_output=True, text=True)
    if '"count(*)": 0' not in wrong.stdout:
        raise SystemExit(f"a witness is not correct: {wrong.stdout}")
    return took


def _cold(files: list[Path], folder: Path) -> float:
    started = time.monotonic()
    with ThreadPoolExecutor(max_workers=CORES) as pool:
        list(pool.map(lambda file: _eval([file], folder / f"run-{file.stem}", 1), files))
    return time.monotonic() - started


def _start_s(words: list[str]) -> float:
    times = []
    for _ in range(5):
        started = time.monotonic()
        subprocess.run([*KBX, *words], check=True, stdout=subprocess.PIPE)
        times.append(time.monotonic() - started)
    return statistics.median(times)


if __name__ == "__main__":
    main()
