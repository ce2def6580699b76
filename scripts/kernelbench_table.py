"""What `kernelbench_budget.py` prints of the rows it measures."""

from collections.abc import Iterator
from typing import Any

Row = dict[str, Any]

UNSOUND = {
    1: (23, 95, 100),
    2: (9, 23, 36, 38, 66, 80, 83, 93),
    3: (3, 7, 11, 12, 18, 24, 28, 35, 48),
}
"""Problems that a trivial answer passes as published, that are broken, or ill-conditioned."""


def line(row: Row) -> str:
    """One row, in columns."""
    start = f"{_place(row):6}"
    if "failed" in row:
        return f"{start} {row['failed']}"
    names = [name for name in ("honest", "reordered", "narrow", "tf32", "bf16") if name in row]
    columns = [f"{max(row[name]):9.3g}" if row[name] else " " * 9 for name in names]
    killed, effective, living = counted(row)
    columns.append(f"{killed:4}/{effective:<4}{len(row['mutants'])}/{row['generated']:<5}")
    return " ".join(
        [start, *columns, f"{row['seconds']:4.0f} s", "; ".join(_trivial(row) + living)]
    )


def counted(row: Row) -> tuple[int, int, list[str]]:
    """Mutants that die, mutants with an effect, and the names of those that live.

    Without an effect is what never is further from the truth than torch's own answer.
    """
    killed, living = 0, []
    for name, errors in row["mutants"].items():
        if not max(errors) <= 1:
            killed += 1
        elif any(error > own for error, own in zip(errors, row["honest"], strict=False)):
            living.append(name)
    return killed, killed + len(living), living


def summary(rows: list[Row]) -> Iterator[str]:
    """What the table shows in all."""
    done = [row for row in rows if "failed" not in row]
    yield f"measured: {len(done)} of {len(rows)} problems"
    for name, is_wrong in (("honest", False), ("reordered", False), ("tf32", True), ("bf16", True)):
        yield from _share(name, done, is_wrong=is_wrong)
    yield from _share("narrow", done, is_wrong=True)
    trivial = [_place(row) for row in done if _trivial(row)]
    yield f"a trivial answer passes: {', '.join(trivial) or 'none'}"
    sound = [row for row in done if row["number"] not in UNSOUND[row["level"]]]
    for words, chosen in (("all", done), ("sound", sound)):
        killed, effective = (sum(counted(row)[which] for row in chosen) for which in (0, 1))
        share = 100 * killed / max(1, effective)
        yield f"mutants, {words} ({len(chosen)}): {killed} of {effective} die, {share:.2f} %"


def _share(name: str, rows: list[Row], *, is_wrong: bool) -> Iterator[str]:
    """How many pass that should, or fail that should."""
    there = [row for row in rows if row.get(name)]
    others = [_place(row) for row in there if (max(row[name]) <= 1) == is_wrong]
    if there:
        words = "fail" if is_wrong else "pass"
        right = len(there) - len(others)
        yield f"{name}: {right} of {len(there)} {words}; not {', '.join(others) or 'any'}"


def _place(row: Row) -> str:
    return f"{row['level']}/{row['number']}"


def _trivial(row: Row) -> list[str]:
    return [name for name, errors in row["trivial"].items() if max(errors) <= 1]
