"""A study that is killed and resumed: are its tables those of an undisturbed one?

    python benchmarks/study_killed.py [--tasks 10] [--kills 3] [--keep FOLDER]

Two methods (one_shot, refine with three rounds), two scripted models of known skill behind an HTTP
server on this machine, ten tasks, judged in the interpreter. The study is run once without a
disturbance. Then it is run again and killed with SIGKILL after a share of its requests, several
times, and resumed by the same command. Printed are what each cell solved beside what its model can
do, how the tables of both compare, and how often a request was made twice. `--keep` keeps both
studies, with their reports.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from generate.loopback import Loopback
from kernelbenchx.store.opening import open_run
from scripted_models import BROKEN, PROSE, RIGHT, WRONG, Skill, Skills, server

ROUNDS = 3
STRONG, WEAK = "strong", "weak"
SKILLS: Skills = {
    STRONG: {
        "relu": Skill(RIGHT),
        "abs": Skill(RIGHT),
        "sigmoid": Skill(BROKEN, RIGHT),
        "gelu": Skill(WRONG, RIGHT),
        "cos": Skill(RIGHT),
        "log1p": Skill(WRONG),
        "add": Skill(RIGHT),
        "tanh": Skill(RIGHT),
        "exp_sqrt": Skill(BROKEN, WRONG),
        "softmax": Skill(PROSE, RIGHT),
    },
    WEAK: {
        "relu": Skill(RIGHT),
        "abs": Skill(BROKEN),
        "sigmoid": Skill(WRONG),
        "gelu": Skill(BROKEN, WRONG),
        "cos": Skill(WRONG, RIGHT),
        "log1p": Skill(PROSE),
        "add": Skill(RIGHT),
        "tanh": Skill(BROKEN, RIGHT),
        "exp_sqrt": Skill(WRONG),
        "softmax": Skill(BROKEN),
    },
}
METHODS = ("one_shot", "refine")


def solves(model: str, method: str, tasks: int) -> int:
    """What a cell must come to."""
    known = list(SKILLS[model].values())[:tasks]
    told = method == "refine"
    return sum(RIGHT in (one.first, one.writes(told=told)) for one in known)


def write_file(folder: Path, url: str, tasks: int, stage: str) -> Path:
    """The study."""
    names = list(SKILLS[STRONG])[:tasks]
    models = [{"model": f"openai:{name}", "base_url": url} for name in SKILLS]
    spelled = ", ".join(
        f'{{ model = "{one["model"]}", base_url = "{one["base_url"]}" }}' for one in models
    )
    path = folder / "study.toml"
    path.write_text(
        'question = "Does feedback help a model of known skill?"\n'
        f"models = [{spelled}]\n"
        f"methods = {json.dumps(list(METHODS))}\n"
        f"turns = {ROUNDS}\n"
        f"tasks = {json.dumps(names)}\n"
        f'device = "interpreter"\nstage = "{stage}"\nseed = 26\n',
        encoding="utf-8",
    )
    return path


def command(file: Path, out: Path) -> list[str]:
    """As a user types it."""
    return [sys.executable, "-m", "kernelbenchx", "study", str(file), "--out", str(out), "--json"]


def run_to_the_end(file: Path, out: Path) -> dict[str, Any]:
    """What it prints."""
    done = subprocess.run(command(file, out), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def run_and_kill(file: Path, out: Path, asked: Loopback, requests: int) -> bool:
    """Killed the hard way once so many requests were made in all; False where it ended before."""
    process = subprocess.Popen(
        command(file, out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while len(asked.asked) < requests and process.poll() is None:
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    return process.wait() != 0


def tables_of(out: Path) -> dict[str, Any]:
    """Every table that the study kept, by analysis and name.

    Notes are left out: one says how many tokens a kill may have lost. Runs are named by where they
    lie, which differs.
    """
    text = (out / "tables" / "all.json").read_text("utf-8").replace(str(out), "")
    return {
        f"{analysis}.{table['name']}": {**table, "notes": []}
        for analysis, every in json.loads(text)["analyses"].items()
        for table in every
    }


def answered(out: Path) -> int:
    """Exchanges that the runs of a study hold."""
    count = 0
    for run in sorted((out / "runs").glob("*")):
        with open_run(run) as connection:
            count += connection.execute("SELECT count(*) FROM exchanges").fetchone()[0]
    return count


@dataclass(frozen=True)
class Comparison:
    """Of a study that was killed and one that was not."""

    cells: list[dict[str, Any]]
    expected: list[int]
    tables: int
    different: list[str]
    requests: int
    """Of the undisturbed study."""
    killed_at: list[int]
    asked: int
    """Of the killed one, in all starts."""
    lost: int
    """Requests that had no recorded reply when the study was killed, in all."""


def compare(folder: Path, tasks: int, kills: int, stage: str = "exe") -> Comparison:
    """Both studies, in this folder."""
    with server(SKILLS, after_s=0.3) as plain:
        whole = run_to_the_end(write_file(folder, plain.url, tasks, stage), folder / "whole")
        requests = len(plain.asked)
    killed_at, lost = [], 0
    with server(SKILLS, after_s=0.3) as disturbed:
        file = write_file(folder, disturbed.url, tasks, stage)
        for number in range(kills):
            wanted = requests * (number + 1) // (kills + 1)
            if run_and_kill(file, folder / "killed", disturbed, wanted + lost):
                killed_at.append(len(disturbed.asked))
                lost = len(disturbed.asked) - answered(folder / "killed")
        resumed = run_to_the_end(file, folder / "killed")
        asked = len(disturbed.asked)
    ours, theirs = (tables_of(folder / name) for name in ("whole", "killed"))
    different = sorted(name for name in ours | theirs if ours.get(name, {}) != theirs.get(name, {}))
    expected = [solves(model, method, tasks) for method in METHODS for model in SKILLS]
    assert [one["solved"] for one in whole["cells"]] == [one["solved"] for one in resumed["cells"]]
    return Comparison(
        resumed["cells"], expected, len(ours), different, requests, killed_at, asked, lost
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=10)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        begun = time.monotonic()
        found = compare(folder, options.tasks, options.kills)
        seconds = time.monotonic() - begun
    print(f"{options.tasks} tasks, {len(found.cells)} cells, killed {len(found.killed_at)} times\n")
    print("| cell | can solve | solved | requests |")
    print("|---|---|---|---|")
    for cell, expected in zip(found.cells, found.expected, strict=True):
        print(f"| {cell['cell']} | {expected} | {cell['solved']} | {cell['requests']} |")
    print()
    print(f"requests of the undisturbed study: {found.requests}")
    print(f"killed after so many: {', '.join(map(str, found.killed_at))}")
    print(f"requests of the killed study: {found.asked}")
    print(f"without a recorded reply when it was killed: {found.lost}")
    print(f"asked again although answered: {found.asked - found.requests - found.lost}")
    print(f"tables: {found.tables}, different: {len(found.different)} {found.different or ''}")
    print(f"both studies took {seconds:.0f} s on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
