"""The tables of docs/explanation/trust.md are those that the script prints."""

from pathlib import Path
from types import ModuleType

import pytest

from script_files import script as load

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs" / "explanation" / "trust.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def table() -> ModuleType:
    return load("trust_table")


def _section(name: str) -> list[str]:
    text = DOCUMENT.partition(f"<!-- {name} -->\n")[2].partition(f"\n<!-- /{name} -->")[0]
    return text.splitlines()


def test_every_attack_is_in_the_document_and_no_other(table: ModuleType) -> None:
    assert len(_section("suite")) > 40
    assert _section("suite") == table.suite()


def test_every_attack_on_the_clock_is_in_the_document(table: ModuleType) -> None:
    assert len(_section("timing")) > 24
    assert _section("timing") == table.timing()


def test_what_is_left_out_is_in_the_document(table: ModuleType) -> None:
    assert _section("omitted") == table.omitted()


def test_what_l1_does_not_stop_is_in_the_document(table: ModuleType) -> None:
    assert _section("beyond L1") == table.beyond("L1")
    assert not table.beyond("L3")
