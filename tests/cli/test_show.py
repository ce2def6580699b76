import json

from cli_types import Kbx
from kernelbenchx.catalog.witness import witness_source


def test_show_prints_the_statement_and_only_on_request_the_rest(kbx: Kbx) -> None:
    plain = kbx("show", "softmax").stdout
    assert "def softmax(input: torch.Tensor, dim: int" in plain
    assert "@triton.jit" not in plain and "checks" not in plain
    assert kbx("show", "softmax", "--witness").stdout == witness_source("math/softmax")
    assert "checks:" in kbx("show", "softmax", "--cases").stdout
    assert "TASK = " in kbx("show", "softmax", "--reference").stdout
    stated = json.loads(kbx("show", "softmax", "--json").stdout)
    assert stated["entry"] == "softmax"
