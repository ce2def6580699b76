"""docs/explanation/soundness.md lists exactly the refusals that the checks make today."""

from pathlib import Path
from types import ModuleType

import pytest

from script_files import script as load

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = (ROOT / "docs" / "explanation" / "soundness.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return load("list_refusals")


def test_every_refusal_is_in_the_document_and_no_other(shared: Path, script: ModuleType) -> None:
    reports = script.checked(
        shared / "data" / "real_kernels.jsonl", shared / "data" / "catalogue.jsonl"
    )
    table = DOCUMENT.partition("<!-- refusals -->\n")[2].partition("<!-- /refusals -->")[0]
    rows = [line for line in table.splitlines() if line.startswith("| r")]
    assert rows
    assert rows == script.refusals(reports)


def test_no_kernel_without_torch_compute_is_refused(shared: Path, script: ModuleType) -> None:
    reports = script.checked(
        shared / "data" / "real_kernels.jsonl", shared / "data" / "catalogue.jsonl"
    )
    assert [
        row["id"] for row, report in reports if report.fatal and report.composition == "pure"
    ] == []
    assert [row["id"] for row, report in reports if report.composition == "pure"] != []
