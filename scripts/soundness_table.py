"""Print our outcomes beside published labels, and every refusal by the source checks.

    kbx eval KERNELS.jsonl --device interpreter --seed 2026 --json > RUN.json
    python scripts/soundness_table.py RUN.json KERNELS.jsonl CATALOGUE.jsonl

Rows of KERNELS.jsonl carry the published label as `published: {call_ok, exe_ok}`.
"""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from list_refusals import HEAD, checked, lines, refusals

from kernelbenchx.core.scopes import Scope

SCOPES = tuple(scope.value for scope in Scope)


def main() -> None:
    """Four parts, in Markdown."""
    run_file, kernels, catalogue = (Path(name) for name in sys.argv[1:4])
    run = json.loads(run_file.read_text(encoding="utf-8"))
    labels = {str(row["id"]): published(row) for row in lines(kernels)}
    print_judged(run, labels)
    print_unknown(run)
    reports = checked(kernels, catalogue)
    refused = [(str(row["id"]), report) for row, report in reports if report.fatal]
    right = sum(labels[name] == "correct" for name, _ in refused)
    print(f"\n## Refused by the source checks: {len(refused)} of {len(reports)}\n")
    print(f"{right} of them were published as correct.\n\n{HEAD}")
    print("\n".join(refusals(reports)))


def print_judged(run: dict[str, Any], labels: dict[str, str]) -> None:
    """Outcome, label and scopes of each kernel whose task is in the catalogue; then the reasons."""
    results = run["results"]
    print(f"## Judged: {len(results)}\n")
    scopes = " | ".join(SCOPES)
    print(f"| id | task | published | here | {scopes} | agree |\n|{'---|' * (len(SCOPES) + 5)}")
    agreed: Counter[str] = Counter()
    for one in results:
        label, kind = labels[one["submission"]], one["outcome"]["kind"]
        same = "yes" if (label == "correct") == (kind == "correct") else "no"
        agreed[f"published {label}, here {kind}"] += 1
        task = one["task"].partition("/")[2]
        graded = " | ".join(graded_by(one))
        print(f"| {one['submission']} | {task} | {label} | {kind} | {graded} | {same} |")
    print()
    for pair, count in sorted(agreed.items()):
        print(f"- {pair}: {count}")
    print("\n| id | first failure |\n|---|---|")
    for one in results:
        print(f"| {one['submission']} | {why(one)} |")


def graded_by(one: dict[str, Any]) -> list[str]:
    """Cases that pass of those judged, for each scope; empty where none was."""
    counts = one["scopes"]
    return [
        f"{counts[scope]['passed']}/{counts[scope]['total']}" if scope in counts else ""
        for scope in SCOPES
    ]


def print_unknown(run: dict[str, Any]) -> None:
    """Kernels that cannot be judged yet."""
    unknown = run["unknown"]
    print(f"\n## Not judged, no such task: {len(unknown)}\n")
    print(", ".join(unknown))


def published(row: dict[str, Any]) -> str:
    """The published label as one of our words."""
    said = row["published"]
    if said["exe_ok"]:
        return "correct"
    return "wrong" if said["call_ok"] else "broken"


def why(one: dict[str, Any]) -> str:
    """Reason, place and case in one cell."""
    outcome = one["outcome"]
    if outcome["kind"] == "correct":
        return f"{outcome['cases']} cases, worst error {outcome['worst']:.2f} of the budget"
    if outcome["kind"] == "rejected":
        first = outcome["findings"][0]
        return _cell(f"{first['rule']}, line {first['line']}: {first['why']}")
    place = f", line {outcome['line']}" if outcome.get("line") else ""
    said = outcome.get("pattern") or outcome["detail"]
    return _cell(f"{outcome['reason']}{place}: {said} ({outcome.get('case') or 'every case'})")


def _cell(text: str) -> str:
    return " ".join(text.split())[:300].replace("|", "\\|")


if __name__ == "__main__":
    main()
