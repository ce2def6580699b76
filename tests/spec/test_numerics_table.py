"""The tables of docs/explanation/numerics.md are those that the scripts print."""

import importlib
import importlib.util
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernelbenchx import spec
from kernelbenchx.spec import decomposition_laws
from script_files import script

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "explanation" / "numerics.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "heading"),
    (
        ("numerics_table", "## What passes and what fails"),
        ("random_table", "### Which streams pass and which fail"),
    ),
)
def test_every_verdict_of_the_script_is_in_the_document_and_no_other(
    name: str, heading: str
) -> None:
    printed = [str(row).rsplit("|", 2)[0] for row in script(name).rows()]
    section = DOCUMENT.split(heading)[1].split("\n#")[0]
    shown = [line.rsplit("|", 2)[0] for line in section.splitlines() if line.startswith("|")]
    assert shown[2:] == printed


def test_the_false_alarm_arithmetic_is_the_documents() -> None:
    table = script("random_table")
    count = table.statistics_per_case()
    for line in (
        f"| false alarms allowed per evaluation | {table.EVALUATION_ALPHA:.1e} |",
        f"| judgements that share it | {table.MOST_JUDGEMENTS} |",
        f"| false alarms allowed per judgement of a case | {table.CASE_ALPHA:.1e} |",
        f"| statistics of such a dropout case | {count} |",
        f"| surprise at the border | {table.threshold(count):.1f} |",
    ):
        assert line in DOCUMENT


def _contracts() -> Iterator[str]:
    """Classes of any module of `spec` that have what the protocol asks for."""
    for found in pkgutil.walk_packages(spec.__path__, f"{spec.__name__}."):
        module = importlib.import_module(found.name)
        for name, one in inspect.getmembers(module, inspect.isclass):
            own = one.__module__ == found.name and one is not spec.Contract
            if own and all(hasattr(one, part) for part in ("calls", "needs_truth", "judge")):
                yield name


def _missing(document: str, names: set[str]) -> set[str]:
    """Contracts without a row in the first table, or in it without being one."""
    table = document.partition("<!-- contracts -->")[2].partition("<!-- /contracts -->")[0]
    return names ^ {line.split("`")[1] for line in table.splitlines() if line.startswith("| `")}


def test_every_contract_is_exported_and_has_a_row() -> None:
    names = set(_contracts())
    assert {"Close", "Picked", "Binomial"} <= names <= set(spec.__all__)
    assert _missing(DOCUMENT, names) == set()


@pytest.mark.parametrize("name", ["ExactContiguous", "Picked", "Binomial"])
def test_a_contract_without_a_row_is_named(name: str) -> None:
    rows = [line for line in DOCUMENT.splitlines() if not line.startswith(f"| `{name}` |")]
    assert _missing("\n".join(rows), set(_contracts())) == {name}


def test_every_law_of_a_decomposition_is_in_the_document() -> None:
    names = [
        name
        for name, one in inspect.getmembers(decomposition_laws, inspect.isclass)
        if one.__module__ == decomposition_laws.__name__
        and one is not decomposition_laws.Law
        and hasattr(one, "judge")
    ]
    section = DOCUMENT.split("## Property")[1].split("\n#")[0]
    assert len(names) > 5 and [name for name in names if f"`{name}`" not in section] == []
