"""How long the source checks take: large and nested sources, and rows of a data set per second.

    python benchmarks/check_speed.py

Prints the CPU time of single sources of the largest size that is read, of every kind of nesting and
of long chains, and the rows per second of `kbx eval --stage check --jobs 1` over the witnesses of
the catalogue. The best of three measurements counts: other work on the machine or its host can only
slow them down. Each command stays on one core, and the three are spread over the cores. Exit code 1
if a source takes a second or more, or if there are fewer than 100 rows per second of CPU time.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from functools import partial
from operator import itemgetter
from pathlib import Path

from kernelbenchx import catalog, tasks
from kernelbenchx.checks.check_source import check
from kernelbenchx.checks.names import DEEPEST, MOST_NODES
from kernelbenchx.checks.rule import Expectation, Report
from kernelbenchx.checks.source import MOST_LINES
from kernelbenchx.runner import bytecode

HEAD = """import torch
import triton
import triton.language as tl
@triton.jit
def k(x, n, BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), 1.0)
"""
LONGEST_S, FEWEST_ROWS, ROWS = 1.0, 100, 600
TIMES = 3


def _entry(lines: str) -> str:
    return f"{HEAD}def f(x):\n{lines}    k[(1,)](x, 3, BLOCK=4)\n    return x\n"


def _sources() -> dict[str, str]:
    lines = MOST_LINES - 20
    deep = DEEPEST // 3
    return {
        f"{lines} lines of assignments": _entry("    y = x[0]\n" * lines),
        "as many nodes as are read": _entry("    y = x.view(-1)\n" * (MOST_NODES // 5)),
        "functions that call each other": HEAD
        + "".join(f"def g{i}(a):\n    return g{i // 2}(a, f)\n" for i in range(lines // 3)),
        "chain of .view(-1)": _entry(f"    y = x{'.view(-1)' * (deep - 5)}\n"),
        "chain of [0]": _entry(f"    y = x{'[0]' * (2 * deep)}\n"),
        "chains in every line": _entry(f"    y = x{'.view(-1)' * 20}\n" * (MOST_NODES // 70)),
        "names for names": HEAD
        + "a0 = torch\n"
        + "".join(f"a{i + 1} = a{i}\n" for i in range(lines)),
        "a name set from itself": HEAD + "x = torch\n" + "x = x.nn\n" * lines,
        "choices of choices": HEAD
        + "a0 = torch.exp\n"
        + "".join(f"a{i + 1} = a{i} if a{i} else a{i}\n" for i in range(200)),
        "one name, many definitions": HEAD + "def g():\n    g()\n" * (lines // 2),
        "closures": HEAD
        + "def f(x):\n    c = []\n"
        + "".join(f"    def g{i}():\n        c.append(x)\n    g{i}()\n" for i in range(lines // 4)),
        "handlers": _entry("    try:\n        g(x)\n    except E:\n        pass\n" * (lines // 5)),
        "a long kernel": HEAD
        + "@triton.jit\ndef q(x):\n"
        + "    y = tl.load(x) + W\n" * (lines // 2),
        "nested functions": HEAD
        + "".join(f"{' ' * i}def g{i}(x{i}):\n" for i in range(deep))
        + f"{' ' * deep}return x0\n",
        "nested lambdas": _entry(f"    y = {'lambda: ' * (2 * deep)}x\n"),
        "nested comprehensions": _entry(f"    y = {'[i for i in ' * 40}x{']' * 40}\n"),
        "nested parentheses": _entry(f"    y = {'(' * 190}x{')' * 190}\n"),
        "a long sum": _entry(f"    y = {'+'.join(['x'] * 5000)}\n"),
        "unused imports": "import os, sys\n" * lines,
    }


def main() -> None:
    """Print both tables."""
    slowest = 0.0
    print(f"{'source':32} lines    CPU s  said")
    for name, text in _sources().items():
        spent, report = min((_timed(text) for _ in range(TIMES)), key=itemgetter(0))
        slowest = max(slowest, spent)
        said = next((f.why for f in report.fatal if f.rule == "source"), "read to its end")
        print(f"{name:32} {text.count(chr(10)):5} {spent:8.3f}  {said}")
    rows = max(found := _rows_per_second())
    print(f"slowest source: {slowest:.3f} s of CPU time, at most {LONGEST_S}")
    every = ", ".join(f"{one:.0f}" for one in found)
    print(f"kbx eval --stage check: {every} rows per second of CPU time, at least {FEWEST_ROWS}")
    sys.exit(slowest >= LONGEST_S or rows < FEWEST_ROWS)


def _timed(text: str) -> tuple[float, Report]:
    began = time.process_time()
    report = check(text, Expectation(entries=("f",)))
    return time.process_time() - began, report


def _rows_per_second() -> list[float]:
    """Witnesses again and again, each a little different, on one core; start-up counts too."""
    texts = {task.name: task.witness for task in tasks(*catalog.function_names())}
    names = list(texts)
    rows = []
    for number in range(ROWS):
        name = names[number % len(names)]
        predict = f"{texts[name]}\n# {number}\n"
        rows.append(json.dumps({"id": f"r{number}", "file": f"{name}.py", "predict": predict}))
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _evaluate(rows[:1], folder / "first", cores[0])  # leaves bytecode behind, as installers do
        spent = [
            _evaluate(rows, folder / str(number), cores[number % len(cores)])
            for number in range(TIMES)
        ]
    return [ROWS / one for one in spent]


def _evaluate(rows: list[str], out: Path, core: int) -> float:
    """The CPU time of one whole command, start-up included."""
    data = out.with_suffix(".jsonl")
    data.write_text("\n".join(rows), encoding="utf-8")
    command = [sys.executable, "-m", "kernelbenchx", "eval", str(data), "--stage", "check"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [*command, "--jobs", "1", "--out", str(out)],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=bytecode.environment(out.parent / "bytecode", os.environ),
        preexec_fn=partial(_stay_on, core),
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _stay_on(core: int) -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})


if __name__ == "__main__":
    main()
