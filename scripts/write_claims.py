"""Write docs/reference/analysis/claims.md: what the claims mean, and what the papers show of them.

    python scripts/write_claims.py [--check]

Definitions and verdicts come from `analysis/claims.py`, error rates from the kept print of
`benchmarks/planted_claims.py`. With --check nothing is written; the exit status says whether the
document is up to date.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from kernelbenchx.analysis.claim_statements import OURS, STATEMENTS
from kernelbenchx.analysis.claims import tables
from kernelbenchx.analysis.table import Table, format_value

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "reference" / "analysis" / "claims.md"
PRINTED = ROOT / "benchmarks" / "planted_claims.txt"

ABOUT = """# Claims: do the papers' statements hold?

`kbx analyze claims RUN...` asks {papers} statements of the KernelBench-X and KernelBench papers,
and {ours} of our own, of your runs. `kbx analyze claims published` asks them of the numbers that
the papers print; both together show them side by side. Each statement has a definition, n, a value
with a 95 % interval, the printed number and a verdict. This page is written by
`scripts/write_claims.py`.

Every row says whose kernels it is about, and a note counts the kernels of each method. The run in
`examples/runs` holds the witnesses of the tasks: verdicts on it say nothing about models.

| verdict | means |
| --- | --- |
| `holds` | the whole interval lies on the statement's side of the threshold |
| `fails` | the whole interval lies on the other side |
| `cannot be told` | the interval holds the threshold, or there is no interval |
| `not enough` | fewer than six tasks, or so few in one of two groups that are compared |

A verdict is about the statement, not about the printed number: a study that finds 60 % where
the paper prints 72 % may agree with it. The thresholds are choices of this project. Without
them "most", "many" and "does not help" could not fail.

**What a run needs.** A statement is asked where the runs have what it needs: several methods
and categories, several rounds, samples or GPUs, times, or two runs that differ in one choice
alone (`feedback`, `examples`, `hardware`). The note below the table names the others. The first
page of a report over several runs has the verdicts.

**Values.** `first` and `second` in `--json` are the two numbers that are compared; `compared`
says what they are. `unit` belongs to all numbers of a row. GPUs are never mixed. Tasks are the
draws of every interval, and comparisons are by task. Where times were taken, samples, turns and
choices are counted by fast_1, elsewhere by correctness; times that are not trusted widen the
interval.
"""
PAPERS = """## What the papers' own numbers show

A paper that prints neither n nor single values gets no interval here, and its statement cannot
be told from what is published. Differences of KernelBench's shares are taken as independent,
because which problems are behind them is not published.
"""
ERRORS = """## How often verdicts are wrong

From `benchmarks/planted_claims.py`: simulated studies with a known category effect, a method
effect, a decline by composition only, and no effect, for each claim. The two columns "false"
and the column "fails" should be small, the last one large.
"""
LIMITS = """## Limits

- Every row is a verdict of its own. Of many rows some are wrong by chance: one in forty, where
  the truth lies on the threshold.
- A statement about "no method" depends on which methods were run, and one about GPUs on which
  GPUs.
- Rounds are about the kernel that a method keeps, as in [iterations](iterations.md); turns are
  about the best of all. A kernel that was not written again says nothing about refinement.
- Whether a task is memory-bound is read from its timed kernels, so tasks without one are not in
  that comparison.
- Two runs are compared where their names differ in one choice. Differences in the words of
  prompts, which choices bring with them, are not looked at.
"""


def document() -> str:
    """The whole page."""
    verdicts, defined = tables([], published=True)
    ours = sum(one.paper == OURS for one in STATEMENTS)
    keys = ("claim", "subject", "verdict", "value", "unit", "border", "n")
    parts = (
        ABOUT.format(papers=len(STATEMENTS) - ours, ours=ours),
        f"## Definitions\n\n{markdown(defined, [one.key for one in defined.columns])}\n",
        f"{PAPERS}\n{markdown(verdicts, keys)}\n",
        f"{ERRORS}\n{_printed()}\n",
        LIMITS,
    )
    return "\n".join(parts)


def _printed() -> str:
    """Without how long it took."""
    text = PRINTED.read_text(encoding="utf-8").rstrip()
    kept = [line for line in text.splitlines() if not line.endswith(" s")]
    table = [line for line in kept if line.startswith("|")]
    rest = [line for line in kept[1:] if line and not line.startswith("|")]
    bullets = [f"- {line.replace('* ', '`*`: ')}" for line in rest]
    return "\n".join([f"{kept[0]}.", "", *table, "", *bullets])


def markdown(table: Table, keys: Iterable[str]) -> str:
    """A table in Markdown; a value with its ends in one cell."""
    chosen = [one for key in keys for one in table.columns if one.key == key]
    lines = [[one.title for one in chosen], ["---"] * len(chosen)]
    for row in table.records():
        cells = []
        for one in chosen:
            low, high = row.get(f"{one.key}_low"), row.get(f"{one.key}_high")
            ends = (
                ""
                if low is None
                else f" [{format_value(low, one.form)}, {format_value(high, one.form)}]"
            )
            cells.append(format_value(row[one.key], one.form) + ends or "-")
        lines.append(cells)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    """Write, or check."""
    text = document()
    if "--check" not in sys.argv[1:]:
        DOCUMENT.write_text(text, encoding="utf-8")
    elif DOCUMENT.read_text(encoding="utf-8") != text:
        sys.exit(f"{DOCUMENT.name} is not up to date: run python scripts/write_claims.py")


if __name__ == "__main__":
    main()
