"""Print what the static checks say about a file of real kernels, as Markdown tables.

Each line of the file is JSON with `id`, `file` (category/task.py) and `predict` (the source).
Signatures come from a second file, a catalogue with `name` and `signature` per line, if given:

    python scripts/list_refusals.py KERNELS.jsonl [CATALOGUE.jsonl]
"""

import ast
import json
import sys
from collections import Counter
from pathlib import Path

from kernelbenchx.checks.entry import read_parameters
from kernelbenchx.checks.rule import Expectation, Parameter, Randomness, Report
from kernelbenchx.checks.run import check

RULER = "#" * 146
"""Published generations may carry a test section after such a line."""


def main() -> None:
    """Read the files named on the command line and print three tables."""
    kernels = _lines(Path(sys.argv[1]))
    catalogue = _lines(Path(sys.argv[2])) if len(sys.argv) > 2 else []
    signatures = {str(row["name"]): _signature(str(row["signature"])) for row in catalogue}
    reports = [(row, _check(row, signatures)) for row in kernels]
    counts = Counter(
        "refused" if report.fatal else report.composition.value for _, report in reports
    )
    print(f"{len(reports)} kernels: " + ", ".join(f"{n} {k}" for k, n in counts.most_common()))
    _table("Refused", [(r, p) for r, p in reports if p.fatal], fatal=True)
    mixed = [(r, p) for r, p in reports if not p.fatal and p.composition == "mixed"]
    _table("Mixed", mixed, fatal=False)
    _table("Pure", [(r, p) for r, p in reports if not p.fatal and p.composition == "pure"])


def _lines(path: Path) -> list[dict[str, object]]:
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _signature(text: str) -> tuple[Parameter, ...]:
    function = ast.parse(f"def {text}: ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    return read_parameters(function.args)


def _check(row: dict[str, object], signatures: dict[str, tuple[Parameter, ...]]) -> Report:
    name = Path(str(row["file"])).stem
    parameters = signatures.get(name)
    expectation = Expectation(
        entries=(name, "kernel_function"),
        parameters=parameters or (),
        randomness=Randomness.NONE,
    )
    source = str(row["predict"]).split(RULER)[0]
    report = check(source, expectation)
    if parameters is not None:
        return report
    # Without a signature nothing can be said about it.
    kept = tuple(f for f in report.findings if f.rule != "entry" or "none of" in f.why)
    return Report(findings=kept, composition=report.composition, entry=report.entry)


def _table(
    title: str, rows: list[tuple[dict[str, object], Report]], *, fatal: bool | None = None
) -> None:
    print(f"\n### {title} ({len(rows)})\n")
    if fatal is None:
        print(", ".join(f"{row['id']} {row['file']}" for row, _ in rows))
        return
    print("| id | file | composition | line | rule | reason |")
    print("|---|---|---|---|---|---|")
    for row, report in rows:
        for finding in report.findings:
            if finding.fatal == fatal:
                why = finding.why.replace("|", "\\|")
                kind = f"{row['id']} | {row['file']} | {report.composition.value}"
                print(f"| {kind} | {finding.line} | {finding.rule} | {why} |")


if __name__ == "__main__":
    main()
