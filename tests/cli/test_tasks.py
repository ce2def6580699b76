import json

from cli_types import Kbx
from kernelbenchx import catalog


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
