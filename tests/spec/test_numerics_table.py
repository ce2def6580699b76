"""The tables of docs/numerics.md are those that the script prints."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "numerics.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def table() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "numerics_table", ROOT / "scripts" / "numerics_table.py"
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_verdict_of_the_script_is_in_the_document_and_no_other(table: ModuleType) -> None:
    printed = [str(row).rsplit("|", 2)[0] for row in table.rows()]
    section = DOCUMENT.split("## What passes and what fails")[1]
    shown = [line.rsplit("|", 2)[0] for line in section.splitlines() if line.startswith("|")]
    assert shown[2:] == printed


def test_the_false_alarm_arithmetic_is_the_documents(table: ModuleType) -> None:
    count = table.statistics_per_case()
    assert f"| statistics of such a dropout case | {count} |" in DOCUMENT
    assert f"| surprise at the border | {table.threshold(count):.1f} |" in DOCUMENT
    assert (
        f"| per evaluation of {table.CASES} cases | {table.CASES * table.CASE_ALPHA:.1e} |"
        in DOCUMENT
    )
