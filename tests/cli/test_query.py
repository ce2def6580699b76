import json
from pathlib import Path

from cli_types import Kbx
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation


def test_rows_come_as_a_table_or_as_json(kbx: Kbx, tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path / "a")) as database:
        database.append("k", evaluation("first"), "s")
    with writing(RunFolder(tmp_path / "b")) as database:
        database.append("k", evaluation("second"), "s")
    sql = "select submission from evaluations order by 1"
    runs = [tmp_path / "a", tmp_path / "b"]
    assert json.loads(kbx("query", *runs, sql, "--json").stdout) == [
        {"submission": "first"},
        {"submission": "second"},
    ]
    assert "second" in kbx("query", *runs, sql).stdout
    exact = "select 0.1 + 0.2 as x"
    assert json.loads(kbx("query", *runs, exact, "--json").stdout) == [{"x": 0.1 + 0.2}]
    assert " 0.3 " in kbx("query", *runs, exact).stdout
    times = kbx("query", *runs, "select count(*) as n from samples", "--json")
    assert json.loads(times.stdout) == [{"n": 0}]
    refused = kbx("query", *runs, "delete from evaluations")
    assert refused.returncode == 2 and "SQL" in refused.stderr


def test_a_missing_query_or_run_is_named(kbx_here: Kbx, tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)):
        pass
    for words, said in (
        ([tmp_path], f"no SQL after {tmp_path}"),
        ([tmp_path, tmp_path], "no SQL after"),
        (["select 1"], "no run: expected"),
        ([], "Missing argument"),
    ):
        refused = kbx_here("query", *words)
        assert refused.returncode == 2 and said in refused.stderr, refused.stderr
    assert kbx_here("query", tmp_path, f"select 1{' + 1' * 500}").returncode == 0


def test_text_of_models_is_shown_as_text_and_whole(kbx_here: Kbx, tmp_path: Path) -> None:
    """Neither markup of the library that draws nor codes of the terminal are obeyed."""
    with writing(RunFolder(tmp_path)) as database:
        database.note("said", "[/bold] \x1b[2J" + "x" * 300 + "\nend")
    found = kbx_here("query", tmp_path, "select value from meta where key = 'said'")
    assert found.returncode == 0 and "\x1b" not in found.stdout
    assert "[/bold]" in found.stdout and found.stdout.count("x") == 300
