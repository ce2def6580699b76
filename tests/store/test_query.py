from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.query import ask
from samples import evaluation


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    folders = [tmp_path / "a", tmp_path / "it's b"]
    for number, folder in enumerate(folders):
        with writing(RunFolder(folder)) as database:
            for index in range(number + 1):
                database.append(f"k{index}", evaluation(f"s{index}"), "source")
    return folders


def test_several_runs_are_asked_together(runs: list[Path]) -> None:
    answer = ask(runs, "select run, count(*) as n from evaluations group by run order by n")
    assert answer.columns == ("run", "n")
    assert answer.rows == [(str(runs[0]), 1), (str(runs[1]), 2)]


def test_json_inside_a_record_can_be_asked(runs: list[Path]) -> None:
    answer = ask(runs[:1], "select json_extract(record, '$.outcome.cases') from evaluations")
    assert answer.rows == [(4,)]


@pytest.mark.parametrize(
    "sql",
    [
        "delete from run0.evaluations",
        "update run0.meta set value = 1",
        "drop table run0.evaluations",
        "attach database '/tmp/x' as y",
        "pragma query_only = off",
        "create table x (y)",
        "select * from nowhere",
        "selct",
        "select 1; delete from run0.meta",
        "",
    ],
)
def test_anything_but_one_select_is_refused(runs: list[Path], sql: str) -> None:
    with pytest.raises(BadInput):
        ask(runs, sql)
    assert ask(runs, "select count(*) from evaluations").rows == [(3,)]


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not a run"):
        ask([tmp_path], "select 1")
