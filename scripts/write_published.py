"""Write docs/reference/analysis/published.md: the published results, analysed.

    python scripts/write_published.py [--check]

Every number in the document comes from `analysis/published.py`. With --check nothing is written;
the exit status says whether the document is up to date.
"""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import fill

from kernelbenchx.analysis import published_kernelbench
from kernelbenchx.analysis.published import tables
from kernelbenchx.analysis.published_data import (
    CATEGORY_GIVEN_METHOD,
    CORRECT_DEVIANCE,
    METHOD_GIVEN_CATEGORY,
)
from kernelbenchx.analysis.table import Table, Value

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "reference" / "analysis" / "published.md"
Row = dict[str, Value]

WIDTH = 160

ABOUT = (
    "`kbx analyze published` reads the tables of the KernelBench-X paper (arXiv 2605.04956) as a"
    " data set: 176 tasks by five methods, from the rates that its Tables 3 and 4 print by category"
    " and method. This page is written by `scripts/write_published.py`; the terms are explained in"
    " [variance](variance.md)."
)
LIMITS = (
    "**What the data can say.** The tables count correct and compiled kernels and name no task, so"
    " tasks of a category are exchangeable. Rates, deviances and drops follow from counts alone."
    " Numbers that depend on which tasks a method solved (intervals and tests by task, paired"
    " comparisons of methods) are computed for an arrangement of tasks, and"
    " [two of them](#intervals-by-task) show how much that matters. Certificates, difficulty,"
    " dtypes and samples are unknown here. Times of single kernels are known for GEAK's rounds,"
    " from the public corpus of iterations. GPUs and rounds are known only as shown below."
)

KERNELBENCH = (
    "`kbx analyze published:kernelbench` has what the KernelBench paper (arXiv 2502.10517) prints:"
    " fast_1 by model and level, by feedback, by samples and on two GPUs. Percentages of 100 or 50"
    " problems are counts, and so have intervals. Which problems are behind them is not published,"
    " so no difference is paired by problem."
)


def document() -> str:
    """The whole page."""
    given = {table.name: table for table in tables()}
    parts = (
        f"# The published results\n\n{prose(ABOUT)}\n\n{prose(LIMITS)}\n",
        whole("The headline", given["published_headline"]),
        outcome(given),
        models(given["published_models"]),
        compilation(given["published_compile"]),
        contradictions(given["published_totals"], given["published_conversion"]),
        whole("Text and tables", given["published_text"]),
        whole("What shares of Fusion and Math stand for", given["published_wording"]),
        sensitivity(given["published_sensitivity"], given["published_sensitivity_ahead"]),
        intervals(given["published_intervals"], given["published_arrangements"]),
        whole("Other labels", given["published_relabelled"]),
        whole("Speed as printed", given["published_speed"]),
        whole("Rounds as printed", given["published_round_rates"]),
        whole("Rescued and persistent kernels", given["published_rescued"]),
        whole("Gains of persistent kernels", given["published_risen"]),
        whole("Speed over rounds", given["published_rounds"]),
        whole("GPUs as printed", given["published_cards"]),
        f"## KernelBench\n\n{prose(KERNELBENCH)}\n",
        *(whole(table.title, table, "###") for table in published_kernelbench.tables()),
    )
    return "\n".join(parts)


def outcome(given: dict[str, Table]) -> str:
    """What came out, in sentences whose numbers are those of the tables below."""
    _, held, plain, _, plain_five = given["published_models"].records()
    rows = given["published_sensitivity"].records()
    by_data = {row["data"]: row for row in rows if row["outcome"] == "correct"}
    no_math = by_data["four, without category Math"]
    ends = {
        row["arrangement"]: row
        for row in given["published_intervals"].records()
        if row["term"] == "category"
    }
    alike, spread = ends["alike"], ends["spread"]
    moved = given["published_relabelled"].records()
    said = (
        f"The printed shares of explained deviance of correctness ({CORRECT_DEVIANCE.category} and"
        f" {CORRECT_DEVIANCE.method} percent) come from an **L2-penalised logistic regression**"
        " with a dummy for every level (C = 1, free intercept) on four of the five methods. There"
        f" it gives {percent(held['category'])} by category and {percent(held['method'])} by"
        " method."
        f" A binomial GLM without penalty gives {percent(plain['category'])} and"
        f" {percent(plain['method'])}.",
        'The printed "deviance reductions" are **differences of log likelihood**, half a drop of'
        " deviance: category given method lowers the deviance by"
        f" {number(held['category_given_method'])}, method given category by"
        f" {number(held['method_given_category'])}. The halves are {two(held['category_half'])} and"
        f" {two(held['method_half'])}; printed are {CATEGORY_GIVEN_METHOD} and"
        f" {METHOD_GIVEN_CATEGORY}.",
        "**The headline depends on what is left out.** With the fifth method, method explains"
        f" {percent(plain_five['method'])} and category {percent(plain_five['category'])}. Without"
        f" Math, method explains {percent(no_math['method'])} and category"
        f" {percent(no_math['category'])}. With four methods and all categories, category is ahead"
        " raw and by AIC, method per degree of freedom and by BIC.",
        "**Fifteen levels fit noise.** Corrected for bias, category explains"
        f" {percent(alike['corrected'])} ({percent(alike['low'])} to {percent(alike['high'])}) if"
        f" methods solve the same tasks and {percent(spread['corrected'])}"
        f" ({percent(spread['low'])} to {percent(spread['high'])}) if they solve different ones;"
        " the paper does not say which.",
        "The printed shares for compilation do not follow from the printed tables, which"
        " contradict each other.",
        "Filing softmax, fftn and logspace elsewhere leaves category between"
        f" {percent(least(moved, 'least'))} and {percent(most(moved, 'most'))}.",
    )
    return "## The outcome\n\n" + "\n".join(prose(one, "- ") for one in said) + "\n"


def models(table: Table) -> str:
    """Which model reproduces."""
    keys = (
        "model", "methods", "n", "category", "method", "category_given_method",
        "method_given_category", "category_half", "method_half", "reproduces",
    )  # fmt: skip
    return section("Which model gives the printed numbers", table, keys)


def compilation(table: Table) -> str:
    """What cannot be reproduced."""
    keys = ("source", "compiled", "category", "method", "reproduces")
    return section("Compilation cannot be reproduced", table, keys)


def contradictions(totals: Table, categories: Table) -> str:
    """Rows that disagree."""
    apart = [row for row in totals.records() if row["agree"] == "no"]
    within = [row for row in categories.records() if row["agree"] == "no"]
    agreed = len(totals.rows) - len(apart), len(categories.rows) - len(within)
    return (
        "## Tables that contradict each other\n\n"
        f"Table 1 against the sums of Tables 3 and 4: {agreed[0]} of {len(totals.rows)} totals"
        " agree. Those that do not:\n\n"
        + markdown(totals, ("method", "outcome", "table_1", "summed"), apart)
        + f"\n\nTable 2 against Tables 3 and 4: {agreed[1]} of {len(categories.rows)} rates agree."
        " Those that do not:\n\n"
        + markdown(categories, ("category", "outcome", "table_2", "counted", "n"), within)
        + "\n"
    )


def sensitivity(shares: Table, ahead: Table) -> str:
    """All rows of correctness; of compilation the first two."""
    shown = (column.key for column in shares.columns[6:])
    keys = ("data", "n", *(key for key in shown if not key.endswith(("_low", "_high"))))
    measures = tuple(column.key for column in ahead.columns[1:])
    text = f"## What the answer depends on\n\n{prose(shares.about)}\n"
    for outcome, title, many in (("correct", "Correctness", None), ("compile", "Compilation", 2)):
        rows = [row for row in shares.records() if row["outcome"] == outcome][:many]
        said = [row for row in ahead.records() if row["outcome"] == outcome][:many]
        text += f"\n{title}:\n\n{markdown(shares, keys, rows)}\n"
        text += f"\n{title}, which factor is ahead:\n\n{markdown(ahead, measures, said)}\n"
    notes = " ".join((ahead.about, *shares.notes, "Compilation is that of Table 4."))
    return f"{text}\n{prose(notes)}\n"


def intervals(table: Table, arrangements: Table) -> str:
    """Drawn at random: another version of numpy may give other last digits."""
    return (
        f"## Intervals by task\n\n{prose(table.about)}\n\n"
        + markdown(table, [column.key for column in table.columns], table.records())
        + f"\n\n{prose(arrangements.about)}\n\n"
        + markdown(arrangements, ("arrangement", "failing", "n"), arrangements.records())
        + "\n"
    )


def whole(title: str, table: Table, mark: str = "##") -> str:
    """Every column."""
    return section(title, table, [column.key for column in table.columns], mark)


def section(title: str, table: Table, keys: Sequence[str], mark: str = "##") -> str:
    """Heading, definition, rows, notes; marked as text of the program."""
    notes = f"\n{prose(' '.join(table.notes))}\n" if table.notes else ""
    said = f"{prose(table.about)}\n\n{markdown(table, keys, table.records())}\n{notes}"
    return f"{mark} {title}\n\n<!-- analysis -->\n{said}<!-- /analysis -->\n"


def prose(text: str, bullet: str = "") -> str:
    """A paragraph in lines; a number stays with its percent sign."""
    lines = fill(
        text.replace(" %", "\u00a0%"),
        WIDTH,
        initial_indent=bullet,
        subsequent_indent=" " * len(bullet),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines.replace("\u00a0", " ")


def markdown(table: Table, keys: Sequence[str], rows: Iterable[Row]) -> str:
    """A table in Markdown; ends of an interval that are not asked for stand behind their value."""
    chosen = {column.key: column for column in table.columns if column.key in keys}
    lines = [[chosen[key].title for key in keys], ["---"] * len(keys)]
    lines += [
        [cell(row[key], chosen[key].form) + ends(row, key, keys) for key in keys] for row in rows
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def ends(row: Row, key: str, keys: Sequence[str]) -> str:
    """From where to where, if that is known and has no columns of its own."""
    low, high = row.get(f"{key}_low"), row.get(f"{key}_high")
    if low is None or high is None or f"{key}_low" in keys:
        return ""
    return f" ({percent(low)} to {percent(high)})"


def cell(value: Value, form: str) -> str:
    """A value as the page shows it."""
    if value is None or isinstance(value, str):
        return value or "-"
    if form == "percent":
        return percent(value)
    if form == "ratio":
        return f"{value:.2f}x"
    return number(value) if isinstance(value, float) else str(value)


def percent(value: Value) -> str:
    """With two decimals, as the shares are compared to."""
    assert isinstance(value, float)
    return f"{100 * value:.2f} %"


def number(value: Value) -> str:
    """With one decimal; small ones with two digits."""
    assert isinstance(value, float)
    return f"{value:.1f}" if abs(value) >= 1 else f"{value:.2g}"


def two(value: Value) -> str:
    """With two decimals."""
    assert isinstance(value, float)
    return f"{value:.2f}"


def least(rows: Iterable[Row], key: str) -> float:
    """The smallest number of a column."""
    return min(value for row in rows if isinstance(value := row[key], float))


def most(rows: Iterable[Row], key: str) -> float:
    """The largest number of a column."""
    return max(value for row in rows if isinstance(value := row[key], float))


def main() -> None:
    """Write, or check."""
    text = document()
    if "--check" not in sys.argv[1:]:
        DOCUMENT.write_text(text, encoding="utf-8")
    elif DOCUMENT.read_text(encoding="utf-8") != text:
        sys.exit(f"{DOCUMENT.name} is not up to date: run python scripts/write_published.py")


if __name__ == "__main__":
    main()
