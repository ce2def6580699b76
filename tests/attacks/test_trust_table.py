"""The tables of docs/explanation/trust.md are those that the script prints."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs" / "explanation" / "trust.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def table() -> ModuleType:
    path = ROOT / "scripts" / "trust_table.py"
    spec = importlib.util.spec_from_file_location("trust_table", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
