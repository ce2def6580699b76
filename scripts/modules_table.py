"""Print how public KernelBench modules were judged, beside what their authors claim.

    kbx eval MODULES --device interpreter --seed 2026 --out RUN
    python scripts/modules_table.py INDEX.jsonl ADJUDICATED.json RUN [GPU_RUN]

Each line of INDEX.jsonl has `file`, `repository`, `commit`, `path`, `author`, `claim` (correct,
wrong, broken or null) and `sha256`. ADJUDICATED.json maps `1/98 s2` to a line. The exit status is 1
if a run lacks a module or holds other code, if something that is not correct or differs from its
claim is not adjudicated, or if voids reach 5 %.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.kernelbench_names import read_kernel_name
from kernelbenchx.core.outcome import Broken, Rejected, Void, Wrong
from kernelbenchx.core.rules import KernelBenchRule
from kernelbenchx.runs import load_run

KINDS = ("correct", "wrong", "broken", "rejected", "void")
MOST_VOID = 0.05
"""Share of modules that may be void in a run."""
MOST_REASON = 100
"""Characters: a whole reason of the worker can fill a page."""

_PATH = re.compile(r" ?\(?/[\w.+-]+(?:/[\w.+-]+)+\)?")

Row = dict[str, Any]
Judged = dict[str, Evaluation]


def main() -> None:
    """Read what the command line names, print Markdown, say by the status if all held."""
    index, adjudicated, *runs = (Path(name) for name in sys.argv[1:])
    rows = read_index(index)
    said: dict[str, str] = json.loads(adjudicated.read_text(encoding="utf-8"))
    judged = [{one.submission: one for one in load_run(run).results} for run in runs]
    print("\n".join(report(rows, said, judged)))
    faults = [fault for run in judged for fault in find_faults(rows, said, run)]
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


def read_index(path: Path) -> dict[str, Row]:
    """What is known of each module, by the name of its file without the ending."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return {row["file"].removesuffix(".py"): row for row in rows}


def short(name: str) -> str:
    """`level_1_problem_98_sample_2_kernel` as `1/98 s2`."""
    found = read_kernel_name(name)
    return f"{found.level}/{found.problem} s{found.sample}" if found else name


def kind(one: Evaluation) -> str:
    """The outcome in one word."""
    return type(one.outcome).__name__.lower()


def differs(row: Row, one: Evaluation) -> bool:
    """Whether the author and this evaluation disagree about correct or not."""
    return row["claim"] is not None and (row["claim"] == "correct") != (kind(one) == "correct")


def find_faults(rows: dict[str, Row], said: dict[str, str], run: Judged) -> list[str]:
    """What keeps a run from being fully adjudicated."""
    faults = [f"{short(name)} was not judged" for name in rows if name not in run]
    there = {name: run[name] for name in rows if name in run}
    for name, one in there.items():
        if one.digest != rows[name]["sha256"]:
            faults.append(f"{short(name)} is other code than the index says")
        if (kind(one) != "correct" or differs(rows[name], one)) and short(name) not in said:
            faults.append(f"{short(name)} is {kind(one)} and not adjudicated")
    void = sum(kind(one) == "void" for one in there.values())
    if void >= MOST_VOID * max(1, len(there)):
        faults.append(f"{void} of {len(there)} are void")
    return faults


def report(rows: dict[str, Row], said: dict[str, str], judged: list[Judged]) -> Iterator[str]:
    """Sources, verdicts by level, claims, and a row for each module."""
    names = ("interpreter", "H200")[: len(judged)]
    yield from _sources(rows, judged, names)
    for where, run in zip(names, judged, strict=True):
        yield from _levels(rows, run, where)
    for where, run in zip(names, judged, strict=True):
        yield from _claims(rows, run, where)
    for where, run in zip(names, judged, strict=True):
        yield from _disagreements(rows, said, run, where)
    for where, run in zip(names, judged, strict=True):
        yield from _by_their_rule(rows, said, run, where)
    yield f"\n| module | source | claimed | {' | '.join(names)} | reason | adjudication |"
    yield f"|{'---|' * (5 + len(names))}"
    for name, row in sorted(rows.items(), key=lambda item: _order(item[0])):
        yield _line(name, row, said, [run.get(name) for run in judged])


def _sources(rows: dict[str, Row], judged: list[Judged], names: tuple[str, ...]) -> Iterator[str]:
    yield f"| repository | commit | author | modules | claimed correct | {_correct(names)} |"
    yield f"|{'---|' * (5 + len(names))}"
    groups: dict[tuple[str, str, str], list[str]] = {}
    for name, row in rows.items():
        key = (row["repository"], row["commit"][:10], row["author"])
        groups.setdefault(key, []).append(name)
    for key, members in sorted(groups.items()):
        claimed = sum(rows[name]["claim"] == "correct" for name in members)
        unknown = all(rows[name]["claim"] is None for name in members)
        cells = [*key, len(members), "no claims" if unknown else claimed]
        cells += [sum(_is(run, name, "correct") for name in members) for run in judged]
        yield _cells(cells)


def _correct(names: tuple[str, ...]) -> str:
    return " | ".join(f"correct, {name}" for name in names)


def _levels(rows: dict[str, Row], run: Judged, where: str) -> Iterator[str]:
    yield f"\n| level, {where} | modules | {' | '.join(KINDS)} | pure | mixed |"
    yield f"|{'---|' * (4 + len(KINDS))}"
    for level in (1, 2, 3, "all"):
        there = [
            run[name]
            for name, row in rows.items()
            if name in run and level in ("all", row["level"])
        ]
        right = [one for one in there if kind(one) == "correct"]
        count = Counter(map(kind, there))
        made = Counter(one.composition.value for one in right)
        cells = [level, len(there), *(count[k] for k in KINDS), made["pure"], made["mixed"]]
        yield _cells(cells)


def _claims(rows: dict[str, Row], run: Judged, where: str) -> Iterator[str]:
    yield f"\n| claimed | {where} | modules |\n|---|---|---|"
    pairs = Counter(
        (str(row["claim"] or "nothing"), kind(run[name]))
        for name, row in rows.items()
        if name in run
    )
    for (claim, here), count in sorted(pairs.items()):
        yield _cells([claim, here, count])


def _disagreements(
    rows: dict[str, Row], said: dict[str, str], run: Judged, where: str
) -> Iterator[str]:
    groups: dict[tuple[str, str], list[str]] = {}
    for name in sorted(rows, key=_order):
        if name in run and differs(rows[name], run[name]):
            key = (str(rows[name]["claim"]), said.get(short(name), ""))
            groups.setdefault(key, []).append(f"{short(name)} {kind(run[name])}")
    total = sum(map(len, groups.values()))
    yield f"\nDisagreements with the author, {where}: {total}\n"
    yield "| claimed | adjudication | modules | which |\n|---|---|---|---|"
    for (claim, line), members in sorted(groups.items(), key=lambda item: -len(item[1])):
        yield _cells([claim, line, len(members), ", ".join(members)])


def _by_their_rule(
    rows: dict[str, Row], said: dict[str, str], run: Judged, where: str
) -> Iterator[str]:
    """KernelBench's own rule at the published size, and modules that pass it and are not right."""
    there = {name: run[name] for name in sorted(rows, key=_order) if name in run}
    applied = {name: rule for name, one in there.items() if (rule := _rule_of(one))}
    if not applied:
        return
    yield f"\n| level, {where} | rule applied | passes at 1e-2 | at 1e-4 | correct | lucky |"
    yield "|---|---|---|---|---|---|"
    loose = [name for name, rule in applied.items() if rule.passes_1e_2]
    strict = [name for name, rule in applied.items() if rule.passes_1e_4]
    right = [name for name in applied if kind(there[name]) == "correct"]
    lucky = [name for name in loose if name not in right]
    for level in (1, 2, 3, "all"):
        counted = (applied, loose, strict, right, lucky)
        yield _cells(
            [level, *(sum(level in ("all", rows[n]["level"]) for n in one) for one in counted)]
        )
    yield "\n| lucky | at 1e-4 | verdict | adjudication |\n|---|---|---|---|"
    for name in lucky:
        passes = "yes" if name in strict else "no"
        yield _cells([short(name), passes, kind(there[name]), said.get(short(name), "")])


def _rule_of(one: Evaluation) -> KernelBenchRule | None:
    """None where it was not applied, or is not known."""
    rule = None if one.rules is None else one.rules.kernelbench
    return None if rule is None or rule.passes_1e_2 is None else rule


def _line(name: str, row: Row, said: dict[str, str], found: list[Evaluation | None]) -> str:
    digest = row["sha256"][:10]
    path = row["path"].rpartition("/")[2]
    source = f"{row['repository'].partition('/')[0]}, {row['author']}, {path} ({digest})"
    kinds = [kind(one) if one else "" for one in found]
    there = [one for one in found if one]
    told = next((one for one in there if kind(one) != "correct"), next(iter(there), None))
    cells = [short(name), source, row["claim"] or "", *kinds, why(told) if told else ""]
    return _cells([*cells, said.get(short(name), "")])


def why(one: Evaluation) -> str:
    """The reason of an outcome, without anything that names a machine."""
    outcome = one.outcome
    match outcome:
        case Rejected():
            return f"{outcome.findings[0].rule}: {outcome.findings[0].why}"
        case Wrong() | Broken() | Void():
            detail = getattr(outcome, "pattern", "") or outcome.detail
            return _cut(_PATH.sub("", f"{outcome.reason.value}: {detail}"), MOST_REASON)
    return (
        f"{one.composition.value}, weights: {one.weights}" if one.weights else str(one.composition)
    )


def _is(run: Judged, name: str, word: str) -> bool:
    return name in run and kind(run[name]) == word


def _order(name: str) -> tuple[int, ...]:
    return tuple(read_kernel_name(name) or (0,))


def _cells(cells: list[Any]) -> str:
    texts = (" ".join(str(cell).split()).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(_cut(text, 240) for text in texts)} |"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."


if __name__ == "__main__":
    main()
