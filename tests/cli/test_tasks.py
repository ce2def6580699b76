import io
import json

from rich.console import Console

from cli_types import Kbx
from kernelbenchx import catalog
from kernelbenchx.cli.tasks import show


def test_tasks_as_json_carries_what_scripts_rely_on(kbx: Kbx) -> None:
    rows = json.loads(kbx("tasks", "--json").stdout)
    assert len(rows) == len(catalog.names())
    gelu = next(row for row in rows if row["name"] == "gelu")
    assert gelu["category"] == "activation"
    assert gelu["published"] == "Activation"
    assert gelu["dtype"] == ["float32", "float16", "bfloat16"]
    assert gelu["contract"] == "close"
    assert gelu["certified"] is True
    assert isinstance(gelu["difficulty"], int)


def test_a_category_in_either_spelling_selects_its_tasks(kbx: Kbx) -> None:
    ours = json.loads(kbx("tasks", "--category", "matrix_multiply", "--json").stdout)
    published = json.loads(kbx("tasks", "--category", "MatrixMultiply", "--json").stdout)
    assert ours == published
    assert {row["name"] for row in ours} == {"addmm", "matmul_fp16"}


def _shown(rows: list[dict[str, object]]) -> str:
    console = Console(file=io.StringIO(), width=80, highlight=False)
    show(rows, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_names_are_whole_however_narrow_the_terminal_is(kbx_here: Kbx) -> None:
    rows = json.loads(kbx_here("tasks", "--json").stdout)
    said = _shown(rows)
    assert [row["name"] for row in rows if f"\n{row['name']} " not in said] == []
    assert max(map(len, said.splitlines())) <= 80 and "…" not in said
    assert "tasks, all certified\n" in said
    rows[0]["certified"] = False
    said = _shown(rows)
    assert "1 certified\nnot certified: " in said and "all certified" not in said
    assert [row["name"] for row in rows if f"\n{row['name']} " not in said] == []


def test_one_task_is_one_and_no_category_names_those_there_are(kbx_here: Kbx) -> None:
    assert "1 task, all certified" in kbx_here("tasks", "Gelu").stdout
    refused = kbx_here("tasks", "--category", "nope")
    assert refused.returncode == 2 and refused.stdout == ""
    assert "unknown category 'nope'; choose one of activation, convolution" in refused.stderr
