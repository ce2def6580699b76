"""Do the paper's tables agree with each other? Totals and categories from the counts."""

from collections.abc import Iterator, Sequence

from kernelbenchx.analysis.interval_cells import interval
from kernelbenchx.analysis.intervals import wilson
from kernelbenchx.analysis.published_attempts import TaskArrangement, attempts, count_of
from kernelbenchx.analysis.published_data import (
    FUSION_FAILING_EVERYWHERE,
    LOSS_ABOVE,
    METHODS,
    NEAR_ZERO,
    SOLVED_CONSISTENTLY,
    TABLE_1,
    TABLE_2,
    TABLE_3,
    TABLE_4,
    TASKS,
)
from kernelbenchx.analysis.table import Table, Value, columns

EVERY = sum(TASKS.values())


def totals() -> Table:
    """Table 1 against the sums of Tables 3 and 4."""
    return Table(
        name="published_totals",
        title="Table 1 against the sums of Tables 3 and 4",
        about=(
            "Kernels by method: how many Table 1's percentage of 176 tasks stands for, and how many"
            " the categories add up to. The interval (Wilson) is that of the sum."
        ),
        columns=columns(
            ("method", "method"),
            ("outcome", "outcome"),
            ("table_1", "Table 1", "count"),
            ("summed", "sum of categories", "count"),
            ("rate", "rate", "percent"),
            ("low", "from", "percent"),
            ("high", "to", "percent"),
            ("agree", "agree"),
        ),
        rows=tuple(_total_rows()),
    )


def _total_rows() -> Iterator[tuple[Value, ...]]:
    for at, method in enumerate(METHODS):
        overall = TABLE_1[method]
        for outcome, printed, table in (
            ("compile", overall.compiled, TABLE_4),
            ("correct", overall.correct, TABLE_3),
        ):
            said = count_of(printed, EVERY)
            summed = sum(count_of(table[name][at], TASKS[name]) for name in TASKS)
            rate = wilson(summed, EVERY)
            agree = "yes" if said == summed else "no"
            yield (method, outcome, said, summed, rate.value, rate.low, rate.high, agree)


def categories() -> Table:
    """Table 2 against Tables 3 and 4."""
    return Table(
        name="published_conversion",
        title="Table 2 against Tables 3 and 4",
        about="Mean over four methods of what compiles and what is correct, by category.",
        columns=columns(
            ("category", "category"),
            ("outcome", "outcome"),
            ("table_2", "Table 2", "percent"),
            ("counted", "from the counts", "percent"),
            ("n", "attempts", "count"),
            ("agree", "agree"),
        ),
        rows=tuple(_category_rows()),
    )


def _category_rows() -> Iterator[tuple[Value, ...]]:
    for name, (compiled, correct, _) in TABLE_2.items():
        for outcome, printed, table in (
            ("compile", compiled, TABLE_4),
            ("correct", correct, TABLE_3),
        ):
            n = 4 * TASKS[name]
            counted = sum(count_of(rate, TASKS[name]) for rate in table[name][:4]) / n
            agree = "yes" if abs(100.0 * counted - printed) < 0.051 else "no"
            yield (name, outcome, printed / 100.0, counted, n, agree)


def text() -> Table:
    """What the text says of categories against Table 3."""
    return Table(
        name="published_text",
        title="The paper's text against its tables",
        about=(
            "Correct kernels of a category by Table 3: of these methods together with Wilson's "
            "interval, and the least and the most of one method."
        ),
        columns=(
            *columns(("category", "category"), ("said", "the text says")),
            *columns(("methods", "methods", "count"), ("n", "attempts", "count")),
            *interval("correct", "correct", "percent"),
            *columns(("least", "least of a method", "percent")),
            *columns(("most", "most of a method", "percent"), ("agree", "agree")),
        ),
        rows=tuple(_text_rows()),
        notes=(
            "Solved consistently: every method is correct on most tasks. Above 80 %: any method "
            f"is. Four methods: all but {NEAR_ZERO}. What exceeds 80 % for Loss is compiling.",
        ),
    )


def _text_rows() -> Iterator[tuple[Value, ...]]:
    for methods in (5, 4):
        rates = TABLE_3[SOLVED_CONSISTENTLY][:methods]
        agrees = min(rates) > 50.0
        yield _text_row(SOLVED_CONSISTENTLY, "solved consistently", rates, agrees=agrees)
    rates = TABLE_3["Loss"]
    yield _text_row("Loss", f"above {LOSS_ABOVE:g} %", rates, agrees=max(rates) > LOSS_ABOVE)


def _text_row(name: str, said: str, rates: Sequence[float], *, agrees: bool) -> tuple[Value, ...]:
    n = len(rates) * TASKS[name]
    found = wilson(sum(count_of(rate, TASKS[name]) for rate in rates), n)
    ends = (found.value, found.low, found.high, min(rates) / 100.0, max(rates) / 100.0)
    return name, said, len(rates), n, *ends, "yes" if agrees else "no"


def tabulate_arrangements() -> Table:
    """How many Fusion tasks no method solves, by how tasks are arranged."""
    n = TASKS["Fusion"]
    rows: list[tuple[Value, ...]] = [
        ("as printed", round(FUSION_FAILING_EVERYWHERE * n / 100.0), n)
    ]
    for arrangement in TaskArrangement:
        fusion = [one for one in attempts(arrangement) if one.category == "Fusion"]
        solved = {one.task for one in fusion if one.correct}
        rows.append((f"arranged {arrangement}", n - len(solved), n))
    return Table(
        name="published_arrangements",
        title="Fusion tasks that no method solves",
        about=(
            "Counts by category do not say which tasks a method solved. This share is all that the"
            " paper says of it: methods solve nearly, not wholly, the same tasks."
        ),
        columns=columns(
            ("arrangement", "tasks"),
            ("failing", "failing everywhere", "count"),
            ("n", "of", "count"),
        ),
        rows=tuple(rows),
    )
