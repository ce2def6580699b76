"""Write the generated parts of the reference: help texts, columns of tables, list of tasks.

    python scripts/write_reference.py [--check]

In reference/cli.md the help of a command is between `<!-- help NAME -->` and `<!-- end -->`, in
reference/sql.md the columns of a table after `<!-- columns TABLE -->`, in limitations.md the tasks
after `<!-- tasks -->`. With --check nothing is written; the exit status says whether the pages are
up to date.
"""

import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import click
from click.testing import CliRunner

from kernelbenchx import TaskInfo, catalog, tasks
from kernelbenchx.analysis.published_data import TASKS
from kernelbenchx.catalog.published_tests import is_in_published_list
from kernelbenchx.cli.main import COMMANDS, kbx
from kernelbenchx.store.schema import prepare

DOCS = Path(__file__).resolve().parents[1] / "docs"
CLI, SQL = DOCS / "reference" / "cli.md", DOCS / "reference" / "sql.md"
PAGES = (CLI, SQL, DOCS / "limitations.md")
PART = re.compile(r"(<!-- (help|columns|tasks) ?([\w -]*) -->\n)(.*?)(<!-- end -->\n)", re.DOTALL)


def main(check: bool) -> int:
    """All pages; 1 if one is not up to date and nothing was to be written."""
    stale = [path for path in PAGES if written(path.read_text("utf-8")) != path.read_text("utf-8")]
    for path in stale:
        print(f"{path.relative_to(DOCS.parent)} is {'stale' if check else 'written'}")
        if not check:
            path.write_text(written(path.read_text("utf-8")), encoding="utf-8")
    return int(check and bool(stale))


def written(text: str) -> str:
    """The text with its generated parts made again."""

    def part(found: re.Match[str]) -> str:
        made = {"help": help_of, "columns": columns_of, "tasks": tasks_of}[found[2]](found[3])
        return f"{found[1]}{made}{found[5]}"

    return PART.sub(part, text)


def commands() -> list[str]:
    """Every command and subcommand, in the order of `kbx --help`."""
    names = []
    for name in COMMANDS:
        command = kbx.get_command(click.Context(kbx), name)
        inner = list(command.commands) if isinstance(command, click.Group) else [""]
        names += [f"{name} {one}".strip() for one in inner]
    return names


def help_of(name: str) -> str:
    """What `kbx NAME --help` prints."""
    done = CliRunner().invoke(kbx, [*name.split(), "--help"], prog_name="kbx", terminal_width=90)
    return f"```text\n{done.output.strip()}\n```\n"


def tables() -> list[str]:
    """The tables of a run."""
    with closing(_run()) as run:
        found = run.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
        return [name for (name,) in found]


def columns_of(table: str) -> str:
    """The columns of a table with their types."""
    with closing(_run()) as run:
        rows = run.execute(f"SELECT name, type FROM pragma_table_xinfo('{table}')").fetchall()
    kinds = dict.fromkeys(kind for _, kind in rows)
    named = {kind: ", ".join(f"`{name}`" for name, one in rows if one == kind) for kind in kinds}
    return "Columns by type:\n\n" + "".join(
        f"- {kind.lower()}: {names}\n" for kind, names in named.items()
    )


def tasks_of(_: str) -> str:
    """A row per category: how many of the published tasks are here, how many others, their names.

    The published list has 176 tasks; files of other precisions lie beside it.
    """
    here: dict[str, list[TaskInfo]] = {category: [] for category in TASKS}
    for task in tasks(*catalog.function_names()):
        here[task.facts.published].append(task)
    counts = {
        category: sum(is_in_published_list(one.name) for one in named)
        for category, named in here.items()
    }
    rows = [
        f"| {category} | {counts[category]} of {TASKS[category]} | {len(named) - counts[category]} "
        f"| {', '.join(f'`{one.facts.name}`' for one in named)} |"
        for category, named in here.items()
    ]
    listed, every = sum(counts.values()), sum(map(len, here.values()))
    total = f"| all {every} | {listed} of {sum(TASKS.values())} | {every - listed} | |"
    head = ["| category | of the published list | others | tasks |", "|---|---|---|---|"]
    return "\n".join([*head, *rows, total]) + "\n"


def _run() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    prepare(connection)
    return connection


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
