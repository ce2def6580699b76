"""`kbx tasks`: the catalogue, from the syntax trees of the task files."""

import click

from kernelbenchx.cli.output import console, print_json


@click.command("tasks")
@click.argument("patterns", nargs=-1)
@click.option("--category", help="Only this category, in our spelling or the published one.")
@click.option("--json", "as_json", is_flag=True, help="One JSON list.")
def command(patterns: tuple[str, ...], category: str | None, as_json: bool) -> None:
    """List tasks; PATTERNS are names, category/name or globs such as 'fusion/*'."""
    from kernelbenchx import catalog
    from kernelbenchx.catalog.certificates import standing
    from kernelbenchx.catalog.facts import facts

    chosen = catalog.select(*patterns)
    if category is not None:
        within = set(catalog.select(f"{category}/*"))
        chosen = tuple(name for name in chosen if name in within)
    rows = []
    for name in chosen:
        known = facts(name)
        rows.append(
            {
                "name": known.name,
                "category": known.category,
                "dtype": list(known.dtypes),
                "difficulty": known.difficulty,
                "contract": known.contract.kind.lower(),
                "published": known.published,
                "certified": standing(name),
            }
        )
    if as_json:
        print_json(rows)
        return
    _show(rows)


def _show(rows: list[dict[str, object]]) -> None:
    from rich.table import Table

    table = Table(title=f"{len(rows)} tasks")
    for column in ("name", "category", "dtype", "difficulty", "contract", "certified"):
        table.add_column(column)
    for row in rows:
        dtypes = row["dtype"]
        table.add_row(
            str(row["name"]),
            str(row["category"]),
            " ".join(dtypes) if isinstance(dtypes, list) else "",
            str(row["difficulty"]),
            str(row["contract"]),
            "yes" if row["certified"] else "no",
        )
    console().print(table)
