from pathlib import Path

from kernelbenchx.analysis.table import Table, columns
from kernelbenchx.report.index import plain
from report_samples import unpacked


def test_the_index_holds_what_every_view_needs(site: Path) -> None:
    index = unpacked(site / "data" / "index.js")
    assert index["methods"] == ["agent", "refine"]
    assert len(index["tasks"]) == 12
    assert sum(index["outcomes"].values()) == 48
    assert {cell["task"] for cell in index["cells"]} == set(range(12))
    assert index["cards"] == ["NVIDIA H200"]
    assert "rates" in index["pages"]


def test_tables_go_as_rows_without_infinities() -> None:
    table = Table(
        name="t",
        title="T",
        about="",
        columns=columns(("a", "A"), ("b", "B", "number")),
        rows=(("x", float("inf")),),
    )
    assert plain(table)["rows"] == [["x", None]]
    assert plain(table)["columns"][1] == {"key": "b", "title": "B", "form": "number"}
