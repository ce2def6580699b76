"""How long and how much memory `kbx analyze` and `kbx report` take for many evaluations.

    python benchmarks/analysis_scale.py [--evaluations 100000] [--run FOLDER] [--out FILE]

An invented run is written (many_evaluations.py), then each analysis, all of them together and the
report are run on it, each as a command of its own on two cores. Memory is the largest resident
set of the command and all its processes together, looked at twenty times a second. With `--run`
an existing run is read instead.
"""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _reports import Report, parser_of
from many_evaluations import METHODS, ROUNDS, TASKS, samples_for

from kernelbenchx.cli.main import COMMANDS
from many_runs import write_run

KBX = [sys.executable, "-m", "kernelbenchx"]
ANALYSES = ("rates", "speed", "variance", "iterations", "hardware", "failures", "categories")
CORES = 2
MOST_S, MOST_BYTES = 60.0, 2 << 30
_LOOK_S = 0.05
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Cost:
    """What one command took."""

    words: str
    seconds: float
    cpu_s: float
    peak_bytes: int
    code: int
    said: str

    @property
    def within(self) -> bool:
        """It worked, in time and in memory."""
        return self.code == 0 and self.seconds < MOST_S and self.peak_bytes < MOST_BYTES


def main() -> int:
    """Measure and print; 1 where a command took too much or failed."""
    parser = parser_of(__doc__)
    parser.add_argument("--evaluations", type=int, default=100_000)
    parser.add_argument("--run", type=Path, help="read this run instead of an invented one")
    options = parser.parse_args()
    report, busy = Report(), os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="kbx-scale-") as folder:
        run = options.run or _written(Path(folder) / "run", options.evaluations, report)
        costs = [measured(words) for words in _commands(run, Path(folder))]
    report.say(
        f"cores given: {CORES} of {os.cpu_count()}, busy with other work before: {busy:.1f}\n"
    )
    head = ("command", "wall clock", "processor", "memory")
    report.table(head, [_row(cost) for cost in costs])
    for cost in costs:
        if cost.code:
            report.say(f"{cost.words}: {cost.said}")
        what = f"{cost.words}: under {MOST_S:.0f} s and {MOST_BYTES >> 30} GiB"
        report.must(what, cost.within)
    return report.end({"commands": [_plain(cost) for cost in costs]}, options.out)


def _written(run: Path, evaluations: int, report: Report) -> Path:
    started = time.monotonic()
    samples = samples_for(evaluations)
    count = write_run(run, tasks=TASKS, methods=METHODS, rounds=ROUNDS, samples=samples)
    size = (run / "run.sqlite").stat().st_size
    report.say(f"{TASKS} tasks, {METHODS} methods, {ROUNDS} rounds, {samples} samples of each")
    took = time.monotonic() - started
    report.say(f"{count} evaluations, {size / 1e6:.0f} MB, written in {took:.0f} s")
    return run


def _commands(run: Path, folder: Path) -> list[tuple[str, ...]]:
    """Those that this version has."""
    found: list[tuple[str, ...]] = [("query", str(run), "select count(*) from evaluations")]
    if "analyze" in COMMANDS:
        found += [("analyze", name, str(run), "--json") for name in ANALYSES]
        found.append(("analyze", str(run), "--json"))
    if "report" in COMMANDS:
        found.append(("report", str(run), "--out", str(folder / "site")))
    return found


def measured(words: tuple[str, ...]) -> Cost:
    """One command from its start to its end."""
    started, spent = time.monotonic(), os.times()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            [*KBX, *words],
            stdout=subprocess.DEVNULL,
            stderr=said,
            preexec_fn=_on_few_cores,
        )
        peak = 0
        while process.poll() is None:
            peak = max(peak, sum(map(_resident, _family(process.pid))))
            time.sleep(_LOOK_S)
        said.seek(0)
        last = said.read().decode(errors="replace").strip().splitlines()[-1:]
    ended = os.times()
    return Cost(
        words=" ".join(word for word in words if not word.startswith(("/", "--"))),
        seconds=time.monotonic() - started,
        cpu_s=sum(ended[2:4]) - sum(spent[2:4]),
        peak_bytes=peak,
        code=process.returncode,
        said="".join(last),
    )


def _on_few_cores() -> None:
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])


def _family(pid: int) -> list[int]:
    """A process and all that it started, directly or not."""
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        found.append(one)
        for path in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                waiting += [int(child) for child in path.read_text().split()]
            except OSError:
                continue  # ended while it was looked at
    return found


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _row(cost: Cost) -> tuple[str, ...]:
    memory = f"{cost.peak_bytes / 2**20:.0f} MiB"
    return f"kbx {cost.words}", f"{cost.seconds:.1f} s", f"{cost.cpu_s:.1f} s", memory


def _plain(cost: Cost) -> dict[str, Any]:
    return {
        "command": cost.words,
        "seconds": round(cost.seconds, 1),
        "cpu_s": round(cost.cpu_s, 1),
        "mib": round(cost.peak_bytes / 2**20),
        "code": cost.code,
    }


if __name__ == "__main__":
    sys.exit(main())
