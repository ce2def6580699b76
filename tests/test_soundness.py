"""docs/explanation/soundness.md lists exactly the refusals that the checks make today."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = (ROOT / "docs" / "explanation" / "soundness.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    path = ROOT / "scripts" / "list_refusals.py"
    spec = importlib.util.spec_from_file_location("list_refusals", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


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
