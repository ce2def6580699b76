"""Measures how soon `kbx eval` begins with a data set of many rows.

    python benchmarks/start_of_many_rows.py [--rows 20000] [--most 5]

Each row is a reply with a witness in a fence, a little different from all others. The time ends
with the line that says how much there is to evaluate; then the command is stopped. Wall time and
CPU time differ on a busy machine. Exit code 1: more CPU time than --most seconds.
"""

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kernelbenchx import catalog, tasks


def main() -> None:
    """Print both times."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--most", type=float, default=5.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "rows.jsonl"
        _write(data, asked.rows)
        wall, cpu = _start(data, Path(folder) / "run")
    size = f"{asked.rows:,} rows"
    print(f"{size}: evaluation began after {wall:.1f} s, {cpu:.1f} s of CPU time")
    sys.exit(cpu > asked.most)


def _write(data: Path, rows: int) -> None:
    texts = [
        (task.name.rpartition("/")[2], task.witness) for task in tasks(*catalog.function_names())
    ]
    with data.open("w", encoding="utf-8") as file:
        for number in range(rows):
            name, text = texts[number % len(texts)]
            reply = f"```python\n{text}\n# {number}\n```"
            row = {"id": f"r{number}", "file": f"{name}.py", "predict": reply}
            file.write(json.dumps(row) + "\n")


def _start(data: Path, run: Path) -> tuple[float, float]:
    """Seconds until the command says what it will evaluate, and its CPU time until then."""
    command = [sys.executable, "-m", "kernelbenchx", "eval", str(data), "--stage", "check"]
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen(
        [*command, "--out", str(run)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        said = next((line for line in process.stderr if line.startswith("evaluating")), "")
        wall = time.monotonic() - began
        os.kill(process.pid, signal.SIGKILL)
    if not said:
        raise SystemExit("kbx eval ended before it began")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
