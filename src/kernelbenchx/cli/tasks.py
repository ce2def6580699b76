"""`kbx tasks`: the catalogue, from its index."""

from collections import Counter
from typing import TYPE_CHECKING

import click

from kernelbenchx.cli.folder_options import problems_option, tasks_option
from kernelbenchx.cli.number_format import format_count
from kernelbenchx.cli.output import console, print_json
from kernelbenchx.core.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from kernelbenchx.catalog.facts import Facts


@click.command("tasks")
@click.argument("patterns", nargs=-1)
@tasks_option
@problems_option
@click.option("--category", help="Only this category; published spellings are accepted.")
@click.option("--json", "as_json", is_flag=True, help="One JSON list.")
def command(patterns: tuple[str, ...], category: str | None, as_json: bool) -> None:
    """List tasks; PATTERNS are names, category/name or globs such as 'fusion/*'."""
    from kernelbenchx.cli.task_facts import facts_document
    from kernelbenchx.task_info import tasks

    within = None if category is None else _within(category)
    rows: list[dict[str, object]] = [
        {
            "name": task.facts.name,
            "category": task.category,
            "dtype": list(task.dtypes),
            "difficulty": task.difficulty,
            "contract": task.facts.contract.kind.lower(),
            "published": task.facts.published,
            "certified": task.certified,
            "grade": task.grade,
            **_of_problem(task.facts),
            **facts_document(task.name),
        }
        for task in tasks(*patterns)
        if within is None or task.name in within
    ]
    if as_json:
        print_json(rows)
        return
    show(rows, console())


def _of_problem(known: "Facts") -> dict[str, object]:
    own = known.problem
    return {
        "level": own.level if own is not None else None,
        "number": own.number if own is not None else None,
        "unsound": known.unsound,
    }


def _within(category: str) -> frozenset[str]:
    from kernelbenchx import catalog

    try:
        return frozenset(catalog.select(f"{category}/*"))
    except BadInput as error:
        known = ", ".join([*catalog.PUBLISHED_CATEGORIES, *catalog.LEVELS])
        raise BadInput(f"unknown category {category!r}; choose one of {known}") from error


def show(rows: list[dict[str, object]], shown: "Console") -> None:
    """Tables in which every name is whole: it is what one copies. Problems have their own."""
    problems = [row for row in rows if row["level"]]
    functions = [row for row in rows if not row["level"]]
    if functions or not problems:
        _show_functions(functions, shown)
    if problems:
        shown.print("\n" * bool(functions), end="")
        _show_problems(problems, shown)


def _show_functions(rows: list[dict[str, object]], shown: "Console") -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    longest = max((len(str(row["name"])) for row in rows), default=0)
    words = [word for row in rows for word in _dtypes(row)]
    table = Table(box=box.SIMPLE_HEAD, padding=0, show_edge=False)
    table.add_column("name", no_wrap=True, min_width=longest)
    table.add_column("category", no_wrap=True)
    table.add_column("dtype", min_width=max(map(len, words), default=0))
    table.add_column("difficulty", no_wrap=True)
    table.add_column("contract", overflow="fold", min_width=len("contract"))
    for row in rows:
        table.add_row(
            str(row["name"]),
            str(row["category"]),
            " ".join(_dtypes(row)),
            str(row["difficulty"]),
            str(row["contract"]),
        )
    shown.print(table)
    shown.print(Text(f"\n{format_count(len(rows), 'task')}{_count_certified(rows)}"))


def _show_problems(rows: list[dict[str, object]], shown: "Console") -> None:
    """Names come last and are never cut, however long they are."""
    ordered = sorted(rows, key=lambda row: (str(row["level"]), int(str(row["number"]))))
    wide = max(len(str(row["grade"])) for row in rows)
    lines = [
        f"{row['level']!s:>5} {row['number']!s:>6} {row['grade']!s:<{wide}} {row['name']}"
        for row in ordered
    ]
    grades = Counter(str(row["grade"]) for row in rows)
    said = ", ".join(f"{many} {grade}" for grade, many in grades.most_common())
    lines = [f"level number {'grade':<{wide}} name", *lines]
    lines += ["", f"{format_count(len(rows), 'KernelBench problem')}: {said}"]
    shown.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)


def _count_certified(rows: list[dict[str, object]]) -> str:
    others = [str(row["name"]) for row in rows if not row["certified"]]
    if not others:
        return ", all certified" if rows else ""
    return f", {len(rows) - len(others)} certified\nnot certified: {', '.join(others)}"


def _dtypes(row: dict[str, object]) -> list[str]:
    found = row["dtype"]
    return [str(one) for one in found] if isinstance(found, list) else []
