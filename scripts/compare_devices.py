"""Compare the outcomes of one set of submissions on the interpreter and on a GPU.

    kbx eval KERNELS --device interpreter --json > INTERPRETER.json
    kbx eval KERNELS --device cuda --json > GPU.json
    python scripts/compare_devices.py INTERPRETER.json GPU.json FACTS.jsonl [EXPLAINED.json]

Each line of FACTS.jsonl has `file`, `repo`, `path`, `commit` and `adapted`. EXPLAINED.json maps a
submission to the reason why its outcomes differ. The exit status is 1 if the runs hold different
submissions, if a disagreement has no explanation, if more than one has, or if voids reach 5 %.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

MOST_EXPLAINED = 1
"""Disagreements with a known reason that one comparison may hold."""
MOST_VOID = 0.05
"""Share of submissions whose outcome may be void on either device."""

_PATH = re.compile(r" ?\(?/[\w.+-]+(?:/[\w.+-]+)+\)?")

Record = dict[str, Any]
Pair = tuple[str, Record, Record]


def main() -> None:
    """Read the files named on the command line, print Markdown, say by the status if all held."""
    names = [Path(name) for name in sys.argv[1:]]
    interpreter, gpu = (read_run(name) for name in names[:2])
    facts = read_facts(names[2])
    explained = json.loads(names[3].read_text(encoding="utf-8")) if len(names) > 3 else {}
    pairs = pair_up(interpreter, gpu)
    if nameless := sorted(name for name, _, _ in pairs if name not in facts):
        sys.exit(f"error: {names[2]} says nothing of {', '.join(nameless)}")
    print("\n".join(report(pairs, facts, explained)))
    faults = find_faults(pairs, interpreter.keys() ^ gpu.keys(), explained)
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


def read_run(path: Path) -> dict[str, Record]:
    """The results of `kbx eval --json`, by submission."""
    run = json.loads(path.read_text(encoding="utf-8"))
    return {one["submission"]: one for one in run["results"]}


def read_facts(path: Path) -> dict[str, Record]:
    """Where each submission comes from, by the name of its file without the ending."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    return {row["file"].removesuffix(".py"): row for row in rows}


def pair_up(interpreter: dict[str, Record], gpu: dict[str, Record]) -> list[Pair]:
    """What both runs judged, in the order of the names."""
    return [
        (name, interpreter[name], gpu[name]) for name in sorted(interpreter.keys() & gpu.keys())
    ]


def kind(result: Record) -> str:
    """The outcome in one word."""
    return str(result["outcome"]["kind"])


def disagree(pair: Pair) -> bool:
    """Whether one device says correct and the other says wrong, broken or rejected."""
    _, one, other = pair
    kinds = {kind(one), kind(other)}
    return "void" not in kinds and "correct" in kinds and len(kinds) > 1


def is_void(pair: Pair) -> bool:
    """Whether a device gave no verdict."""
    return "void" in {kind(pair[1]), kind(pair[2])}


def find_faults(
    pairs: list[Pair], unmatched: Iterable[str], explained: dict[str, str]
) -> list[str]:
    """What keeps the comparison from holding."""
    lonely = sorted(unmatched)
    differing = [pair[0] for pair in pairs if disagree(pair)]
    unexplained = [name for name in differing if name not in explained]
    voids = [pair[0] for pair in pairs if is_void(pair)]
    faults = []
    if lonely:
        faults.append(f"judged on one device only: {', '.join(lonely)}")
    if unexplained:
        faults.append(f"unexplained disagreements: {', '.join(unexplained)}")
    if len(differing) - len(unexplained) > MOST_EXPLAINED:
        faults.append(f"more than {MOST_EXPLAINED} explained disagreement")
    if len(voids) >= MOST_VOID * max(len(pairs), 1):
        faults.append(f"{len(voids)} of {len(pairs)} are void")
    if stale := sorted(explained.keys() - set(differing)):
        faults.append(f"explained, but no disagreement: {', '.join(stale)}")
    return faults


def report(pairs: list[Pair], facts: dict[str, Record], explained: dict[str, str]) -> list[str]:
    """Counts, disagreements, voids and one row per submission, as Markdown."""
    tasks = {one["task"] for _, one, _ in pairs}
    bad = sum(kind(gpu) in ("wrong", "broken") for _, _, gpu in pairs)
    repositories = {facts[name]["repo"] for name, _, _ in pairs}
    differing = [pair for pair in pairs if disagree(pair)]
    voids = [pair for pair in pairs if is_void(pair)]
    lines = [
        f"{len(pairs)} kernels of {len(repositories)} sources over {len(tasks)} tasks; "
        f"{bad} are wrong or broken on the GPU.",
        f"Disagreements on correct or not: {len(differing)}. Voids: {len(voids)}.",
        "",
        "| interpreter | GPU | kernels |",
        "|---|---|---|",
    ]
    counted = Counter((kind(one), kind(other)) for _, one, other in pairs)
    lines += [f"| {one} | {other} | {number} |" for (one, other), number in sorted(counted.items())]
    lines += _list(
        "Disagreements",
        [f"{_both(pair)}: {explained.get(pair[0], 'unexplained')}" for pair in differing],
    )
    lines += _list("Voids", [_both(pair) for pair in voids])
    lines += [
        "",
        "| kernel | source | commit | interpreter | GPU | why (GPU) |",
        "|---|---|---|---|---|---|",
    ]
    return lines + [_row(pair, facts[pair[0]]) for pair in pairs]


def _list(title: str, items: list[str]) -> list[str]:
    return ["", f"{title}:", "", *[f"- {item}" for item in items]] if items else []


def _both(pair: Pair) -> str:
    name, one, other = pair
    return f"`{name}`, interpreter {kind(one)} ({why(one)}), GPU {kind(other)} ({why(other)})"


def _row(pair: Pair, fact: Record) -> str:
    name, one, other = pair
    source = f"{fact['repo']}, {fact['path']}"
    cells = (name, source, fact["commit"][:10], kind(one), kind(other), why(other))
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def why(result: Record) -> str:
    """The reason of an outcome, without anything that names a machine."""
    outcome = result["outcome"]
    match outcome["kind"]:
        case "correct":
            return f"{outcome['cases']} cases"
        case "rejected":
            return str(outcome["findings"][0]["rule"])
        case _:
            said = f"{outcome['reason']}: {outcome.get('pattern') or outcome['detail']}"
            return _PATH.sub("", said)


def _cell(text: str) -> str:
    short = " ".join(text.split()).replace("|", "\\|")
    return short if len(short) <= 120 else f"{short[:117]}..."


if __name__ == "__main__":
    main()
