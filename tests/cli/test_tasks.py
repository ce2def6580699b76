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
    every = json.loads(kbx_here("tasks", "--json").stdout)
    rows = [row for row in every if not row["level"]]
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


def test_problems_have_a_table_with_level_number_and_grade(kbx_here: Kbx) -> None:
    rows = json.loads(kbx_here("tasks", "gemm_multiply_leaky_relu", "relu", "--json").stdout)
    told = {row["name"]: (row["level"], row["number"]) for row in rows}
    assert told == {"gemm_multiply_leaky_relu": (2, 12), "relu": (None, None)}
    for row, grade in zip(rows, ("unsound as published", "certified"), strict=True):
        row["grade"] = grade
    functions, problems = _shown(rows).split("1 task, ")
    assert "relu " in functions and "gemm" not in functions and "grade" not in functions
    assert "level number grade                name\n" in problems
    assert "    2     12 unsound as published gemm_multiply_leaky_relu\n" in problems
    assert "1 KernelBench problem: 1 unsound as published" in problems


def test_names_of_problems_are_never_cut(kbx_here: Kbx) -> None:
    rows = json.loads(kbx_here("tasks", "level*/*", "--json").stdout)
    said = _shown(rows)
    assert [row["name"] for row in rows if f" {row['name']}\n" not in said] == []
    assert max(len(str(row["name"])) for row in rows) > 60
    assert [int(line.split()[0]) for line in said.splitlines()[1 : len(rows) + 1]] == sorted(
        row["level"] for row in rows
    )
