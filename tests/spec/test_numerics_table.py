"""The tables of docs/explanation/numerics.md are those that the scripts print."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "explanation" / "numerics.md").read_text(encoding="utf-8")


def _script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("script", "heading"),
    (
        ("numerics_table", "## What passes and what fails"),
        ("random_table", "### Which streams pass and which fail"),
    ),
)
def test_every_verdict_of_the_script_is_in_the_document_and_no_other(
    script: str, heading: str
) -> None:
    printed = [str(row).rsplit("|", 2)[0] for row in _script(script).rows()]
    section = DOCUMENT.split(heading)[1].split("\n#")[0]
    shown = [line.rsplit("|", 2)[0] for line in section.splitlines() if line.startswith("|")]
    assert shown[2:] == printed


def test_the_false_alarm_arithmetic_is_the_documents() -> None:
    table = _script("random_table")
    count = table.statistics_per_case()
    for line in (
        f"| false alarms allowed per evaluation | {table.EVALUATION_ALPHA:.1e} |",
        f"| judgements that share it | {table.MOST_JUDGEMENTS} |",
        f"| false alarms allowed per judgement of a case | {table.CASE_ALPHA:.1e} |",
        f"| statistics of such a dropout case | {count} |",
        f"| surprise at the border | {table.threshold(count):.1f} |",
    ):
        assert line in DOCUMENT
