import json

from cli_types import Kbx
from kernelbenchx import catalog
from kernelbenchx.catalog.witness import witness_source


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


def test_show_prints_the_statement_and_only_on_request_the_rest(kbx: Kbx) -> None:
    plain = kbx("show", "softmax").stdout
    assert "def softmax(input: torch.Tensor, dim: int" in plain
    assert "@triton.jit" not in plain and "checks" not in plain
    assert kbx("show", "softmax", "--witness").stdout == witness_source("math/softmax")
    assert "checks:" in kbx("show", "softmax", "--cases").stdout
    assert "TASK = " in kbx("show", "softmax", "--reference").stdout
    stated = json.loads(kbx("show", "softmax", "--json").stdout)
    assert stated["entry"] == "softmax"
