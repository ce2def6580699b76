from typing import Any

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.certificates import standing
from kernelbenchx.core.errors import BadInput
from kernelbenchx.task_info import TaskInfo, task, tasks


def test_tasks_are_found_by_name_and_pattern() -> None:
    assert [one.name for one in tasks()] == list(catalog.names())
    assert {one.category for one in tasks("activation/*", "gelu")} == {"activation"}
    assert [one.name for one in tasks("relu", "Activation/relu")] == ["activation/relu"]


def test_a_task_has_facts_and_texts() -> None:
    relu = task("relu")
    assert isinstance(relu, TaskInfo) and relu == task("activation/relu")
    assert (relu.entry, relu.category, relu.difficulty) == ("relu", "activation", 2)
    assert relu.signature.startswith("relu(input") and "float16" in relu.dtypes
    assert relu.certified is standing("activation/relu")
    assert relu.statement.startswith("# relu") and "Triton" in relu.statement
    assert "TASK = " in relu.reference and "import torch" in relu.reference
    assert "@triton.jit" in relu.witness and "TASK" not in relu.witness
    assert relu.witness not in relu.statement


@pytest.mark.parametrize(
    ("name", "said"),
    [("rellu", "did you mean relu?"), ("activation/*", "names"), ("", "no task matches ''")],
)
def test_a_name_that_is_not_one_task_is_refused_in_one_line(name: str, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        task(name)
    assert said in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize("name", [None, 3, ["relu"]])
def test_a_task_is_named_by_text(name: Any) -> None:
    for asked in (task, tasks):
        with pytest.raises(TypeError, match=r"task\(\) and tasks\(\) take names, not"):
            asked(name)
