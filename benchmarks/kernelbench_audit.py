"""Which of KernelBench's problems a trivial answer passes, at sizes that a CPU can judge.

    python benchmarks/kernelbench_audit.py FOLDER [PATTERN ...] > benchmarks/kernelbench_audit.txt

FOLDER holds the problem files as published. Each runs in a sandbox, as `kbx audit` does it; what
was audited before is not repeated. Prints the table of `kbx audit`, then the kinds of inputs that
were left out, and the sizes at which torch's own float32 fails. Exit code 1 if a file could not be
read. Two problems need the package `einops`.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from typing import Any

Row = dict[str, Any]


def main() -> int:
    """Print the audit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("patterns", nargs="*", metavar="PATTERN")
    options = parser.parse_args()
    arguments = (options.folder, *options.patterns)
    words = [sys.executable, "-m", "kernelbenchx", "audit", *arguments]
    table = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    found = subprocess.run([*words, "--json"], check=True, capture_output=True, text=True).stdout
    rows: list[Row] = json.loads(found)
    sys.stdout.write(table)
    print("\n".join(["", *describe(rows)]))
    return int(any("level" not in row for row in rows))


def describe(rows: list[Row]) -> list[str]:
    """What the table leaves out."""
    read = [row for row in rows if "level" in row]
    judged = [row for row in read if not row["failed"]]
    lines = [f"{len(read)} of {len(rows)} files are problems; {len(judged)} can be drawn"]
    kinds = Counter(kind for row in judged for kind in row["values"])
    lines.append("finite answers: " + ", ".join(f"{many} {kind}" for kind, many in kinds.items()))
    full = [_short(row) for row in judged if not row["sizes"]]
    lines.append(f"judged at the published size: {', '.join(full) or 'none'}")
    lines.append(f"random: {', '.join(_short(row) for row in judged if row['random']) or 'none'}")
    fixed = [row for row in judged if not row["random"]]
    passing = [row for row in fixed if row["honest"] <= 1]
    if fixed:
        largest = max((row["honest"] for row in passing), default=0.0)
        words = f"torch's own float32 passes {len(passing)} of the {len(fixed)} others"
        lines.append(f"{words}, with at most {largest:.2g} of the budget")
    lines += [
        f"  fails {_short(row)}: {row['honest']:.2g} of the budget, at {_sizes(row)}"
        for row in fixed
        if row not in passing
    ]
    return lines


def _sizes(row: Row) -> str:
    named = ", ".join(f"{name}={value}" for name, value in row["sizes"].items())
    return named or "the published size"


def _short(row: Row) -> str:
    return f"L{row['level']}/{row['number']}"


if __name__ == "__main__":
    raise SystemExit(main())
