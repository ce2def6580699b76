"""Print what the static checks say about a file of real kernels, as Markdown tables.

Each line of the file is JSON with `id`, `file` (category/task.py) and `predict` (the source).
Signatures come from a second file, a catalogue with `name` and `signature` per line, if given:

    python scripts/list_refusals.py KERNELS.jsonl [CATALOGUE.jsonl]

The catalogue's `reference_calls` say which tasks draw random numbers.
"""

import ast
import json
import sys
from collections import Counter
from pathlib import Path

from kernelbenchx.checks.check_source import check
from kernelbenchx.checks.rule import Expectation, Randomness, Report
from kernelbenchx.checks.signatures import read_parameters

RULER = "#" * 146
"""Published generations may carry a test section after such a line."""
HEAD = """| id | file | composition | line | rule | reason |
|---|---|---|---|---|---|"""
Checked = tuple[dict[str, object], Report]


def main() -> None:
    """Read the files named on the command line and print three tables."""
    reports = checked(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
    counts = Counter(
        "refused" if report.fatal else report.composition.value for _, report in reports
    )
    print(f"{len(reports)} kernels: " + ", ".join(f"{n} {k}" for k, n in counts.most_common()))
    _table("Refused", [(r, p) for r, p in reports if p.fatal], fatal=True)
    mixed = [(r, p) for r, p in reports if not p.fatal and p.composition == "mixed"]
    _table("Mixed", mixed, fatal=False)
    _table("Pure", [(r, p) for r, p in reports if not p.fatal and p.composition == "pure"])


def checked(kernels: Path, catalogue: Path | None) -> list[Checked]:
    """Every kernel of the file with what the source checks say of it."""
    expected = {str(row["name"]): _expectation(row) for row in lines(catalogue)}
    return [(row, _check(row, expected)) for row in lines(kernels)]


def refusals(reports: list[Checked]) -> list[str]:
    """A Markdown row for each reason to refuse a kernel."""
    return [row for one in reports for row in _rows(one, fatal=True)]


def lines(path: Path | None) -> list[dict[str, object]]:
    """The rows of a JSONL file."""
    text = path.read_text(encoding="utf-8") if path is not None else ""
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _expectation(row: dict[str, object]) -> Expectation:
    name, signature = str(row["name"]), str(row["signature"])
    function = ast.parse(f"def {signature}: ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    parameters = read_parameters(function.args)
    chance = any(word in str(row["reference_calls"]) for word in ("dropout", "rand", "bernoulli"))
    source = Randomness.RANDINT if chance else Randomness.NONE
    if any(parameter.name == "generator" for parameter in parameters):
        source = Randomness.GENERATOR
    return Expectation(
        entries=(function.name, name, "kernel_function"), parameters=parameters, randomness=source
    )


def _check(row: dict[str, object], expected: dict[str, Expectation]) -> Report:
    name = Path(str(row["file"])).stem
    source = str(row["predict"]).split(RULER)[0]
    if name in expected:
        return check(source, expected[name])
    report = check(source, Expectation(entries=(name, "kernel_function")))
    # Without a signature nothing can be said about it.
    kept = tuple(f for f in report.findings if f.rule != "entry" or "none of" in f.why)
    return Report(findings=kept, composition=report.composition, entry=report.entry)


def _table(title: str, rows: list[Checked], *, fatal: bool | None = None) -> None:
    print(f"\n### {title} ({len(rows)})\n")
    if fatal is None:
        print(", ".join(f"{row['id']} {row['file']}" for row, _ in rows))
        return
    print(HEAD)
    for one in rows:
        for row in _rows(one, fatal=fatal):
            print(row)


def _rows(one: Checked, *, fatal: bool) -> list[str]:
    row, report = one
    kind = f"{row['id']} | {row['file']} | {report.composition.value}"
    return [
        f"| {kind} | {finding.line} | {finding.rule} | {finding.why.replace('|', chr(92) + '|')} |"
        for finding in report.findings
        if finding.fatal == fatal
    ]


if __name__ == "__main__":
    main()
