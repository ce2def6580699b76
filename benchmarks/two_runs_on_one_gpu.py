"""Two `kbx eval --stage perf` on one GPU at once, and one that is killed while it takes times.

    python benchmarks/two_runs_on_one_gpu.py [--only NAME ...] [--kills 3] [--jobs N] [--run FOLDER]

The same witnesses are evaluated by two commands one after the other, then by two started together.
Times must agree with those of the first within 1 % in the median, no kernel may be unmeasured, and
both together may take no longer than one after the other. The first two commands are compared, too:
they show how far runs differ that have the GPU alone.

Then a command is killed (SIGKILL) while it has the GPU alone. Its lease must be free within 1 s,
and all processes that it started must be gone within 5 s.
"""

import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen

from _gpu_runs import (
    TASKS,
    must_agree,
    say_differences,
    say_kernels,
    say_untimed,
    start,
)
from _reports import Report, parser_of, setting
from _runs import Run, read_run
from card_throughput import ALONE, write_witnesses

from kernelbenchx import task, tasks
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.runner.gpu_lease import GpuLease
from kernelbenchx.runner.gpu_users import lock_folder, user_of
from kernelbenchx.runner.gpus import gpu_count, gpu_uuid
from kernelbenchx.worker.processes import family

MOST_FREE_S, MOST_GONE_S = 1.0, 5.0
MOST_WAIT_S = 30.0
MOST_START_S = 120.0
LOOK_EVERY_S = 0.01


@dataclass(frozen=True)
class KilledRun:
    """What a command left behind that was killed while it had the lease."""

    free_s: float
    """Until another process had the lease."""
    gone_s: float
    """Until no process was left."""
    processes: int
    left: tuple[int, ...]
    """Still there when the wait ended."""


def kill_holder(run: "Popen[bytes]", uuid: str) -> KilledRun | None:
    """Kill a process as soon as it has the lease alone; None if it never had it."""
    lock, until = lock_folder() / f"GPU-{uuid}.lock", time.monotonic() + MOST_START_S
    while (holder := user_of(lock)) is None or holder.pid not in family(run.pid):
        if run.poll() is not None or time.monotonic() > until:
            return None
        time.sleep(LOOK_EVERY_S)
    started = family(run.pid) - {run.pid}
    run.kill()
    killed = time.monotonic()
    wait_for_lease(uuid)
    free_s = time.monotonic() - killed
    run.wait()
    while (left := alive(started)) and time.monotonic() - killed < MOST_WAIT_S:
        time.sleep(LOOK_EVERY_S)
    return KilledRun(free_s, time.monotonic() - killed, len(started), tuple(sorted(left)))


def wait_for_lease(uuid: str) -> None:
    """As another run of kbx does, but not for ever."""
    lease = GpuLease(uuid)
    end = threading.Timer(MOST_WAIT_S, lease.close)
    end.start()
    try:
        with lease.alone():
            return
    except EvaluatorFault:
        return  # closed: the time says so
    finally:
        end.cancel()
        lease.close()  # else all that this process starts later would be known as a run's


def alive(processes: Iterable[int]) -> list[int]:
    """Those that have not ended; a zombie has."""
    return [one for one in processes if _state(one) not in ("", "Z", "X")]


def _state(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return words[0]


def evaluate(sources: Path, outs: Sequence[Path], words: Sequence[str]) -> tuple[float, list[int]]:
    """Commands started together: how long all took, and their exit codes."""
    began = time.monotonic()
    started = [start(sources, out, *words) for out in outs]
    codes = [one.wait() for one in started]
    return time.monotonic() - began, codes


def compare(report: Report, sources: Path, place: Path, words: Sequence[str]) -> dict[str, object]:
    """One after the other, then together."""
    names = ("alone", "alone again", "together", "beside it")
    folders = {name: place / name.replace(" ", "_") for name in names}
    spent: dict[str, float] = {}
    codes: list[int] = []
    for group in (names[:1], names[1:2], names[2:]):
        took, ended = evaluate(sources, [folders[name] for name in group], words)
        spent[" and ".join(group)], codes = took, [*codes, *ended]
        report.say(f"{' and '.join(group)}: {took:.1f} s, exit codes {ended}")
    runs = {name: read_run(folder) for name, folder in folders.items()}
    first = runs["alone"]
    report.say(setting(first.evaluations[0].environment, seed=first.seed) + "\n")
    say_kernels(report, runs)
    medians = say_differences(report, first, {name: runs[name] for name in names[1:]})
    _must(report, runs, codes)
    must_agree(report, {name: medians[name] for name in names[2:]})
    separate, together = sum([*spent.values()][:2]), [*spent.values()][2]
    report.must(
        f"together {together:.1f} s, one after the other {separate:.1f} s", together <= separate
    )
    return {"seconds_of": spent, "medians": medians}


def _must(report: Report, runs: dict[str, Run], codes: Sequence[int]) -> None:
    report.must("all commands ended with exit code 0", not any(codes))
    unmeasured = say_untimed(report, runs)
    report.must(f"{len(unmeasured)} kernels are unmeasured (none is expected)", not unmeasured)


def say_killed(report: Report, found: Sequence[KilledRun | None]) -> list[dict[str, object]]:
    """Each one that was killed, and the promises."""
    rows = [one for one in found if one is not None]
    report.table(
        ("killed", "lease free after s", "processes", "all gone after s", "left"),
        [
            (at, f"{one.free_s:.3f}", one.processes, f"{one.gone_s:.3f}", len(one.left))
            for at, one in enumerate(rows, 1)
        ],
    )
    report.must(f"{len(rows)} of {len(found)} held the lease", len(rows) == len(found))
    if rows:
        free_s, gone_s = max(one.free_s for one in rows), max(one.gone_s for one in rows)
        report.must(
            f"the lease is free after {free_s:.3f} s (at most {MOST_FREE_S:.0f} s)",
            free_s <= MOST_FREE_S,
        )
        report.must(
            f"their processes are gone after {gone_s:.3f} s (at most {MOST_GONE_S:.0f} s)",
            gone_s <= MOST_GONE_S,
        )
    return [{"free_s": round(one.free_s, 4), "gone_s": round(one.gone_s, 4)} for one in rows]


def main() -> int:
    """Measure, print, say whether it holds."""
    parser = parser_of(__doc__)
    parser.add_argument("--only", nargs="*", default=TASKS, help="witnesses, by name or pattern")
    parser.add_argument("--kills", type=int, default=3, help="how many commands are killed")
    parser.add_argument("--jobs", type=int, help="as many as kbx eval takes unless given")
    parser.add_argument("--run", type=Path, help="keep the runs in this folder")
    options = parser.parse_args()
    if not gpu_count():
        print("this needs a CUDA GPU", file=sys.stderr)
        return 2
    report, uuid = Report(), gpu_uuid(0)
    words = ("--jobs", str(options.jobs)) if options.jobs else ()
    with tempfile.TemporaryDirectory(prefix="kbx-two-") as name:
        folder = Path(name)
        sources = write_witnesses(folder / "kernels", tasks(*options.only))
        ready_s, _ = evaluate(
            write_witnesses(folder / "one", [task(ALONE)]), [folder / "ready"], words
        )
        report.say(f"first, {ALONE} alone: {ready_s:.1f} s, after which the machine is ready")
        document = compare(report, sources, options.run or folder, words)
        killed = [
            kill_holder(start(sources, folder / f"killed_{at}", *words), uuid)
            for at in range(options.kills)
        ]
        document["killed"] = say_killed(report, killed)
    return report.end({"ready_s": round(ready_s, 2), **document}, options.out)


if __name__ == "__main__":
    sys.exit(main())
