"""The reference pages are those that the program gives, and name every field of a record."""

import re
from pathlib import Path

import pytest

from kernelbenchx.cli.main import COMMANDS
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import CaseResult, Reason
from kernelbenchx.core.performance import Comparison, Timed
from script_files import script

ROOT = Path(__file__).resolve().parents[1]
RECORDS = (ROOT / "docs" / "reference" / "records.md").read_text(encoding="utf-8")
REFERENCE = script("write_reference")


@pytest.mark.parametrize("path", REFERENCE.PAGES, ids=lambda path: path.name)
def test_generated_parts_are_up_to_date(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert REFERENCE.written(text) == text, "run make reference"
    emptied = REFERENCE.PART.sub(r"\1\5", text)
    assert emptied != text and REFERENCE.written(emptied) == text


def test_every_command_has_a_section() -> None:
    text = REFERENCE.CLI.read_text(encoding="utf-8")
    assert re.findall(r"^## kbx (.+)$", text, flags=re.M) == REFERENCE.commands()
    assert [name.split()[0] for name in REFERENCE.commands()] == [
        name for name in COMMANDS for _ in range(3 if name == "export" else 1)
    ]


def test_every_table_has_a_section() -> None:
    text = REFERENCE.SQL.read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", text, flags=re.M) == REFERENCE.tables()


@pytest.mark.parametrize(
    ("title", "record"),
    [
        ("Evaluation", Evaluation),
        ("Cases", CaseResult),
        ("Performance", Timed),
        ("Performance", Comparison),
    ],
)
def test_every_field_is_explained(title: str, record: type[Evaluation]) -> None:
    part = RECORDS.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    assert [name for name in record.__struct_fields__ if f"`{name}`" not in part] == []


def test_every_reason_is_listed() -> None:
    assert [one.value for one in Reason if f"`{one.value}`" not in RECORDS] == []
