"""Print in which cases kernels fail, one Markdown row for each kernel and each kind of failure.

    python scripts/case_by_case.py KERNELS.jsonl [ID...] [--seed SEED]

Kernels run in the interpreter, without source checks: those of a data set may break a rule. The
seed of a run gives its cases again.
"""

from argparse import ArgumentParser
from collections.abc import Iterator

import kernelbenchx as kbx

MOST_CASES = 3
"""Named in a row; the others are counted."""


def main(file: str, wanted: set[str], seed: int = 0) -> None:
    """Evaluate the kernels of the file, or those of these names."""
    found = kbx.read_submissions(file).submissions
    chosen = [one for one in found if not wanted or one.name in wanted]
    print("| id | task | passes | fails with | in these cases |")
    print("|---|---|---|---|---|")
    with kbx.Evaluator(device="interpreter", checks=False, seed=seed) as evaluator:
        for result in evaluator.map(chosen):
            for row in rows(result):
                print(f"| {row} |", flush=True)


def rows(result: kbx.Evaluation) -> Iterator[str]:
    """A row for each kind of failure; one without a kind where every case passes."""
    failures: dict[str, list[str]] = {}
    for one in result.cases:
        if one.state != "passed":
            failures.setdefault(_kind(one.state, one.detail), []).append(one.case)
    passed = len(result.cases) - sum(map(len, failures.values()))
    task = result.task.rpartition("/")[2]
    head = f"{result.submission} | {task} | {passed} of {len(result.cases)}"
    if not failures:
        yield f"{head} | {'' if result.cases else result.verdict} | "
    for kind, cases in failures.items():
        yield f"{head} | {kind} | {_listed(cases)}"


def _kind(state: str, said: str) -> str:
    """Wrong values differ from case to case, so their reason is enough."""
    text = said.partition(":")[0] if state == "wrong" else " ".join(said.split())[:120]
    return ": ".join(part for part in (state, text.replace("|", "\\|")) if part)


def _listed(cases: list[str]) -> str:
    more = f"; and {len(cases) - MOST_CASES} more" if len(cases) > MOST_CASES else ""
    return "; ".join(f"`{case}`" for case in cases[:MOST_CASES]) + more


if __name__ == "__main__":
    parser = ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--seed", type=int, default=0, help="0: a random one")
    given = parser.parse_intermixed_args()
    main(given.file, set(given.ids), given.seed)
