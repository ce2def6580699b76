import json

import pytest

from cli_types import Kbx
from kernelbenchx.cli.task_facts import facts_document, facts_line


def test_a_task_shows_its_facts_in_one_line() -> None:
    line = facts_line("normalization/batch_norm")
    assert line == (
        "Facts: cooperation across programs, 1 operator, at least 2 passes over memory, "
        "memory-bound on NVIDIA H200, contract close."
    )
    assert "3 or more passes" in facts_line("linear_algebra/svd")
    assert facts_line("level1/no_such_problem") == ""


def test_the_document_names_gpus() -> None:
    found = facts_document("fusion/fused_layer_norm_relu_linear")
    assert (found["cooperation"], found["operators"]) == ("within a tile", 3)
    assert found["bound"]["NVIDIA H20"] == "compute"
    assert found["bound"]["NVIDIA GeForce RTX 5090"] == "memory"
    assert set(facts_document("level1/no_such_problem").values()) == {None}


@pytest.mark.parametrize("words", [("tasks", "relu", "--json"), ("show", "relu", "--json")])
def test_tasks_and_show_have_them(kbx_here: Kbx, words: tuple[str, ...]) -> None:
    done = kbx_here(*words)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    facts = document["facts"] if isinstance(document, dict) else document[0]
    assert (facts["cooperation"], facts["passes"]) == ("none", 1)


def test_show_prints_them_below_the_statement(kbx_here: Kbx) -> None:
    done = kbx_here("show", "softmax")
    assert "Facts: cooperation within a tile" in done.stdout.splitlines()[-1]
