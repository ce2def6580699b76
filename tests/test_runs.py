import sys
from pathlib import Path
from typing import Any

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Reason, Wrong
from kernelbenchx.runs import RunResults, load_run
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.schema import TABLES
from samples import evaluation, timed

WRONG = Wrong(case="x", reason=Reason.BAD_VALUES, detail="far off")


@pytest.fixture
def run(tmp_path: Path) -> RunResults:
    with writing(RunFolder(tmp_path)) as database:
        database.append("k1", evaluation("fast", performance=timed()), "def relu(): ...\n")
        database.append("k2", evaluation("wrong", WRONG), "def relu(): ...\n")
    return load_run(tmp_path)


def test_results_are_evaluations(run: RunResults) -> None:
    assert [one.submission for one in run.results] == ["fast", "wrong"]
    assert all(isinstance(one, Evaluation) for one in run.results)
    assert run.find("wrong").outcome == WRONG
    assert run.read_source(run.results[0]) == "def relu(): ...\n"
    assert run.query("select submission from evaluations where solved") == [{"submission": "fast"}]


def test_what_is_not_there_is_said_in_one_line(run: RunResults) -> None:
    with pytest.raises(BadInput, match=r"nothing in .* is called 'slow'"):
        run.find("slow")
    with pytest.raises(BadInput, match="SQL: no such table: results"):
        run.query("select * from results")
    with pytest.raises(BadInput, match="cannot modify evaluations"):
        run.query("delete from evaluations")
    with pytest.raises(BadInput, match="unknown table 'results'; choose one of evaluations"):
        run.to_arrow("results")
    with pytest.raises(BadInput, match="unknown table 'results'"):
        run.to_pandas("results")


def test_a_run_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="does not exist"):
        load_run(tmp_path / "nothing")
    with pytest.raises(BadInput, match="is not a run"):
        load_run(tmp_path)
    (tmp_path / "run.sqlite").write_text("no database")
    with pytest.raises(BadInput):
        load_run(tmp_path)
    wrong: Any = evaluation()
    with pytest.raises(TypeError, match=r"load_run\(\) takes the path of a run, not an Evaluation"):
        load_run(wrong)


def test_arrow_has_a_row_for_each_and_typed_columns(run: RunResults) -> None:
    pa = pytest.importorskip("pyarrow")
    table = run.to_arrow()
    assert table.num_rows == 2 and "record" not in table.column_names
    kinds = {"submission": pa.string(), "solved": pa.bool_(), "speedup": pa.float64()}
    assert {name: table.schema.field(name).type for name in kinds} == kinds
    row = next(one for one in table.to_pylist() if one["submission"] == "wrong")
    assert row["solved"] is False and row["speedup"] is None and row["reason"] == "bad_values"
    assert run.to_arrow("timings").num_rows > 0
    assert run.to_arrow("exchanges").num_rows == 0


def test_pandas_has_the_same(run: RunResults, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    frame = run.to_pandas()
    assert dict(zip(frame["submission"], frame["solved"], strict=True)) == {
        "fast": True,
        "wrong": False,
    }
    assert frame["speedup"].isna().sum() == 1 and str(frame["solved"].dtype) == "boolean"
    assert len(run.to_pandas("exchanges")) == 0


@pytest.mark.parametrize("table", TABLES)
def test_every_table_can_be_taken(run: RunResults, table: str) -> None:
    pytest.importorskip("pyarrow")
    assert run.to_arrow(table).column_names[0] == "run"


@pytest.mark.parametrize(("library", "extra"), [("pyarrow", "parquet"), ("pandas", "pandas")])
def test_a_library_that_is_missing_is_named_with_its_extra(
    run: RunResults, library: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(BadInput, match=rf"{library}: pip install 'kernelbenchx\[{extra}\]'") as one:
        (run.to_arrow if library == "pyarrow" else run.to_pandas)()
    assert "\n" not in str(one.value)
