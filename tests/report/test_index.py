from pathlib import Path

from kernelbenchx.analysis.table import Table, columns
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Failed
from kernelbenchx.report.build import build
from kernelbenchx.report.index import plain
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from report_samples import unpacked
from samples import evaluation, on_a_card, timed


def test_the_index_holds_what_every_view_needs(site: Path) -> None:
    index = unpacked(site / "data" / "index.js")
    assert index["methods"] == ["agent", "refine"]
    assert len(index["tasks"]) == 12
    assert sum(index["outcomes"].values()) == 48
    assert {cell["task"] for cell in index["cells"]} == set(range(12))
    assert index["gpus"] == ["NVIDIA H200"]
    assert "rates" in index["pages"]
    (said,) = index["scopes"]
    assert said.startswith("On NVIDIA H200, ") and "submissions are core correct" in said


def test_what_failed_at_a_timed_size_is_counted_apart(tmp_path: Path) -> None:
    failed = Failed(case="n=99", reason=Reason.TIMED_WRONG, detail="other values")
    with writing(RunFolder(tmp_path / "run")) as database:
        for key, performance in (("0", failed), ("1", timed()), ("2", None)):
            made = on_a_card(evaluation(f"round{key}", performance=performance))
            database.append(key * 64, made, "source")
    build([tmp_path / "run"], tmp_path / "site")
    index = unpacked(tmp_path / "site" / "data" / "index.js")
    assert index["outcomes"] == {"failed at scale": 1, "correct": 2}
    assert [cell["correct"] for cell in index["cells"]] == [2]
    assert index["scopes"] == [], "no case was kept"


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
