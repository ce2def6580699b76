"""SIGINT and SIGTERM at random moments of real commands: how long until everything is gone?

    python benchmarks/stop_commands.py [--moments 200] [--seed 1] [--only NAME] [--half 0]

The moments are drawn from the first 6 s of a command, or from the time it takes: from the start of
Python on, while torch loads and while kernels run. Half of the signals are SIGINT, and half go to
the process group, as those of a terminal do. Some starts resume what was stopped; the last one may
end, and must then have every result.

A moment counts as good if the command and all its descendants are gone within 3 s, the exit code
is 128 plus the signal's number, and every result that was kept or printed before is there.
"""

import argparse
import json
import os
import random
import re
import signal
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from kernelbenchx import task
from problem_files import SCALED_RELU, WITNESS, write_problem
from published_problems import SCALED
from scripted_models import BROKEN, PROSE, RIGHT, WRONG, Skill, server
from stopped_commands import LIMIT_S, Stopped, stop

TASKS = ("relu", "abs", "add", "sigmoid")
HANGS = """
import torch
import triton
import triton.language as tl


@triton.jit
def k(x, y, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    i = 0
    while i >= 0:
        i = 0
    tl.store(y + at, tl.load(x + at, mask=at < n), mask=at < n)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = torch.empty_like(input)
    k[(1,)](input, y, input.numel(), B=16)
    return y
"""
SKILLS = {
    "strong": {
        "relu": Skill(BROKEN, RIGHT),
        "abs": Skill(RIGHT),
        "sigmoid": Skill(WRONG, RIGHT),
        "add": Skill(PROSE, RIGHT),
    }
}
Kept = Callable[[Path], set[str]]


def rows(folder: Path, table: str = "evaluations", columns: str = "key, created") -> set[str]:
    """Of all runs below a folder."""
    found: set[str] = set()
    for path in sorted(folder.rglob("run.sqlite")):
        with closing(sqlite3.connect(path)) as connection:
            (state,) = connection.execute("PRAGMA integrity_check").fetchone()
            assert state == "ok", state
            try:
                read = connection.execute(f"SELECT {columns} FROM {table}").fetchall()
            except sqlite3.OperationalError:  # stopped before it had its tables
                continue
            found |= {f"{path.parent.name}: {row}" for row in read}
    return found


def replies_and_rows(folder: Path) -> set[str]:
    """What a model said, and what became of it."""
    return rows(folder) | rows(folder, "exchanges", "key")


def files(pattern: str) -> Kept:
    """Names of the files that are kept."""
    return lambda folder: {str(path.relative_to(folder)) for path in folder.rglob(pattern)}


def certificates(folder: Path) -> set[str]:
    """Of tasks of one's own."""
    path = folder / "certificates.json"
    return set(json.loads(path.read_text("utf-8"))) if path.is_file() else set()


def nothing(_: Path) -> set[str]:
    """For commands that only print."""
    return set()


REACH_S, PATIENCE_S = 6.0, 300.0
MOST_STOPS = 3
"""Of the same run; then it may end."""


@dataclass(frozen=True)
class Command:
    """One command line of a user, which works in a folder."""

    name: str
    words: Callable[[Path], list[object]]
    kept: Kept = rows
    told: str = r"^  \[\d+/\d+\] "
    """A line that is printed when something was finished."""
    keeps: int = 0
    """So many results once it has ended; 0 where that is not tried."""
    prepare: Callable[[Path], object] = nothing
    """Fills its folder."""


@dataclass
class Found:
    """What the moments of one command came to."""

    seconds: list[float] = field(default_factory=list)
    bad: list[str] = field(default_factory=list)


def sources_in(folder: Path) -> Path:
    """Witnesses of a few tasks."""
    folder.mkdir()
    for name in TASKS:
        (folder / f"{name}.py").write_text(task(name).witness, encoding="utf-8")
    return folder


def problems_of_ones_own(folder: Path) -> None:
    """Three tasks with witnesses."""
    for number in range(1, 4):
        write_problem(folder, f"scaled_{number}", SCALED_RELU, witness=WITNESS)


def slow_source() -> str:
    """Checking it takes long."""
    lines = "".join(f"def g{i}(x):\n    return g{i // 2}(x), f(x)\n" for i in range(3000))
    return f"{HANGS}\n{lines}"


def commands(folder: Path, url: str) -> list[Command]:
    """All of them; their sources lie in the folder."""
    sources = sources_in(folder / "sources")
    hanging = folder / "hanging"
    hanging.mkdir()
    (hanging / "relu.py").write_text(HANGS)
    (hanging / "abs.py").write_text(task("abs").witness)
    slow = folder / "slow_checks"
    slow.mkdir()
    for number in range(12):
        (slow / f"relu__{number}.py").write_text(slow_source() + f"# {number}\n")
    problems = folder / "KernelBench" / "level1"
    problems.mkdir(parents=True)
    modules = folder / "modules"
    modules.mkdir()
    for number in range(901, 907):
        text = SCALED.replace("wide = 5, 33", f"wide = 5, {number - 870}")
        (problems / f"{number}_Scaled.py").write_text(text)
        (modules / f"level_1_problem_{number}_sample_0_kernel.py").write_text(WITNESS)
    study = folder / "study.toml"
    study.write_text(
        f'question = "?"\nmodels = [{{ model = "openai:strong", base_url = "{url}" }}]\n'
        'methods = ["one_shot", "refine"]\nturns = 2\ntasks = ["relu", "abs", "add"]\n'
        'device = "interpreter"\nstage = "call"\nseed = 42\n'
    )
    interpreter = ("--device", "interpreter")
    asked = ("--model", "openai:strong", "--base-url", url, "--tasks", "relu,abs,sigmoid,add")
    return [
        Command(
            "eval, a folder", lambda out: ["eval", sources, *interpreter, "--out", out], keeps=4
        ),
        Command(
            "eval, a kernel that never ends",
            lambda out: ["eval", hanging, *interpreter, "--out", out],
        ),
        Command(
            "eval, slow source checks",
            lambda out: ["eval", slow, "--stage", "check", "--jobs", "1", "--out", out],
        ),
        Command(
            "eval, problems of KernelBench",
            lambda out: [
                "eval",
                modules,
                "--problems",
                problems.parent,
                *interpreter,
                "--out",
                out,
            ],
        ),
        Command(
            "eval, Ray on this machine",
            lambda out: ["eval", sources, *interpreter, "--engine", "ray", "--out", out],
        ),
        Command("compile", lambda _: ["compile", sources / "softmax.py"], nothing),
        Command(
            "audit",
            lambda _: ["audit", problems.parent],
            files("*.json"),
            r"^ +1 +\d+ ",
            keeps=6,
        ),
        Command(
            "certify",
            lambda out: [
                "certify",
                *(f"level1/scaled_{n}" for n in (1, 2, 3)),
                "--tasks",
                out,
                *interpreter,
                "--write",
            ],
            certificates,
            r"^  level1/scaled_\d: ",
            keeps=3,
            prepare=problems_of_ones_own,
        ),
        Command("nearmiss", lambda _: ["nearmiss", "relu"], nothing),
        Command("redteam", lambda _: ["redteam", "v1_*", *interpreter], nothing),
        Command(
            "generate",
            lambda out: ["generate", "--method", "refine", *asked, *interpreter, "--out", out],
            replies_and_rows,
        ),
        Command(
            "study", lambda out: ["study", study, "--out", out, "--jobs", "2"], replies_and_rows
        ),
        Command("demo", lambda out: ["demo", "--out", out]),
    ]


def run(command: Command, out: Path, after_s: float, number: int, *, to_group: bool) -> Stopped:
    """In its folder, where what it caches lies, too."""
    variables = {"XDG_CACHE_HOME": str(out / "cache")} if command.name == "audit" else {}
    log = out.with_suffix(".log")
    return stop(command.words(out), after_s, number, log, to_group=to_group, variables=variables)


def new_folder(command: Command, out: Path) -> Path:
    """A folder for the next starts of a command."""
    out.mkdir()
    command.prepare(out)
    return out


def faults(command: Command, ended: Stopped, number: int, new: int, lost: int) -> list[str]:
    """What was promised and did not happen."""
    told = len(re.findall(command.told, ended.said, re.MULTILINE))
    quiet = command.kept in (nothing, replies_and_rows)
    loaded = ended.code > 128
    tried = {
        f"there after {LIMIT_S:g} s: {'; '.join(ended.survivors)}": ended.seconds > LIMIT_S,
        f"exit code {ended.code} after signal {number}": not ended.ended_by(number),
        f"{lost} results lost": bool(lost),
        f"{told} results printed, {new} kept": told > new and not quiet,
        f"a traceback: {ended.said[-400:]}": "Traceback" in ended.said and loaded,
        "nothing said": loaded and "kbx: stopped; finished results are kept" not in ended.said,
    }
    return [words for words, failed in tried.items() if failed]


def measure(command: Command, folder: Path, moments: int, draw: random.Random) -> Found:
    """Stop it at so many moments, some of them of the same run; the last run may end."""
    folder.mkdir()
    found, folders, reach_s = Found(), 0, REACH_S
    out = new_folder(command, folder / "0")
    stops = 0
    while len(found.seconds) < moments:
        if stops == MOST_STOPS:
            stops, folders = 0, folders + 1
            out = new_folder(command, folder / str(folders))
        number, before = draw.choice((signal.SIGINT, signal.SIGTERM)), command.kept(out)
        after_s, to_group = draw.uniform(0.0, reach_s), draw.random() < 0.5
        began = time.monotonic()
        ended = run(command, out, after_s, number, to_group=to_group)
        if not ended.in_time or ended.code in (0, 2):  # it had come to its end
            reach_s, stops = min(reach_s, time.monotonic() - began), MOST_STOPS
            continue
        stops += 1
        after = command.kept(out)
        found.seconds.append(ended.seconds)
        which = f"{command.name}, {number.name} after {after_s:.2f} s"
        of_this = faults(command, ended, number, len(after - before), len(before - after))
        found.bad += [f"{which}: {words}" for words in of_this]
    if command.keeps:
        run(command, out, PATIENCE_S, signal.SIGTERM, to_group=False)
        kept = len(command.kept(out))
        if kept != command.keeps:
            found.bad.append(f"{command.name}: {kept} results in the end, not {command.keeps}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moments", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="commands whose name contains this")
    parser.add_argument("--half", type=int, choices=(0, 1), help="every second command")
    options = parser.parse_args()
    draw, began, every = random.Random(options.seed), time.monotonic(), []
    bad: list[str] = []
    print("| command | moments | median s | slowest s |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary, server(SKILLS, after_s=0.2) as models:
        chosen = [one for one in commands(Path(temporary), models.url) if options.only in one.name]
        if options.half is not None:
            chosen = chosen[options.half :: 2]
        for place, command in enumerate(chosen):
            share = (options.moments + place) // len(chosen)
            found = measure(command, Path(temporary) / f"command_{place}", share, draw)
            every += found.seconds
            bad += found.bad
            middle, most = statistics.median(found.seconds), max(found.seconds)
            print(f"| {command.name} | {share} | {middle:.2f} | {most:.2f} |", flush=True)
    print(f"\n{len(every)} moments, gone after at most {max(every):.2f} s, in the median "
          f"{statistics.median(every):.2f} s")  # fmt: skip
    print(f"not as promised: {len(bad)}")
    for words in bad:
        print(f"  {words}")
    print(f"seed {options.seed}, {os.cpu_count()} cores, {time.monotonic() - began:.0f} s")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
