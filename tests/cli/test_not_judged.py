import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from cli_types import Kbx
from kernelbenchx.cli.not_judged import MOST_NAMED, judged_of, left_out, print_not_judged
from kernelbenchx.core.not_judged import NotJudged, WhyNotJudged
from kernelbenchx.evaluate.intake import read_intake

SOURCE = "def relu(input, inplace=False):\n    return input\n"
UNKNOWN = NotJudged(source="s", name="a", why=WhyNotJudged.UNKNOWN_TASK, detail="of_the_future")


@pytest.fixture
def data_set(tmp_path: Path) -> Path:
    known = {"file": "Activation/relu.py", "predict": SOURCE}
    unknown = {"file": "Fusion/of_the_future.py", "predict": SOURCE}
    rows = [json.dumps(row) for row in (known, *[unknown] * 12)]
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join([*rows, "{"]), encoding="utf-8")
    return path


def test_the_closing_line_counts_what_was_not_judged(data_set: Path) -> None:
    assert judged_of(read_intake([data_set])) == [
        "1 of 14 rows judged; 12 name tasks that are not in this catalogue; 1 could not be read"
    ]


def test_nothing_is_said_where_everything_was_judged(tmp_path: Path) -> None:
    (tmp_path / "relu.py").write_text(SOURCE)
    assert judged_of(read_intake([tmp_path])) == []
    assert left_out({}) == []
    (tmp_path / "of_the_future.py").write_text(SOURCE)
    assert judged_of(read_intake([tmp_path])) == [
        "1 of 2 files judged; 1 names a task that is not in this catalogue"
    ]


def test_of_many_only_the_first_are_named() -> None:
    console = Console(file=io.StringIO(), width=200)
    print_not_judged([UNKNOWN] * (MOST_NAMED + 5), Path("runs/x"), console)
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    assert lines[0] == "not judged, no such task: a (of_the_future)"
    assert len(lines) == MOST_NAMED + 1 and "and 5 more: kbx query runs/x" in lines[-1]


def test_command_and_run_count_the_same(data_set: Path, tmp_path: Path, kbx_here: Kbx) -> None:
    run = str(tmp_path / "run")
    options = ["--stage", "check", "--out", run]
    for _ in range(2):  # a second time nothing is counted twice
        said = kbx_here("eval", str(data_set), *options, "--json")
        assert said.returncode == 2, "one row could not be read"
    found = json.loads(said.stdout)
    assert (found["judged"], found["total"]) == (1, 14)
    assert found["not_judged"] == {"unknown_task": 12, "unreadable": 1}
    assert (len(found["unknown"]), len(found["unread"])) == (12, 1)
    asked = "select why, count(*) as n from not_judged group by why order by why"
    rows = json.loads(kbx_here("query", run, asked, "--json").stdout)
    assert [tuple(row.values()) for row in rows] == [("unknown_task", 12), ("unreadable", 1)]
    closing = kbx_here("eval", str(data_set), *options).stdout
    assert "1 of 14 rows judged; 12 name tasks that are not in this catalogue" in closing
