from pathlib import Path
from typing import Any

import pytest

from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.sources import read_source, text_or_path

RELU = witness_source("activation/relu")


def test_a_text_is_named_after_its_task_and_content() -> None:
    one, same, other = (read_source(text, "relu") for text in (RELU, RELU, RELU + "# x\n"))
    assert one == same and one.task == "activation/relu" and one.source == RELU
    assert one.name.startswith("relu__") and one.name != other.name


def test_a_reply_with_a_fence_is_a_text() -> None:
    reply = f"Here is the kernel:\n```python\n{RELU}```\nIt is fast."
    assert read_source(reply, "relu").source == RELU


@pytest.mark.parametrize("text", ["", "I cannot do that.", "\ud800", "relu.py"])
def test_whatever_a_model_says_is_a_submission(text: str) -> None:
    assert read_source(text, "relu").task == "activation/relu"


def test_a_path_in_a_text_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "relu.py"
    path.write_text(RELU)
    assert read_source(str(path), "relu").source == f"{path}\n"
    assert read_source(path).source == RELU
    assert read_source(text_or_path(str(path))).source == RELU
    assert text_or_path(RELU) == RELU


def test_a_submission_is_taken_as_it_is() -> None:
    given = Submission(name="mine", task="relu", source=RELU)
    assert read_source(given).task == "activation/relu"
    assert read_source(given, "relu").name == "mine"
    with pytest.raises(BadInput, match="mine is for activation/relu, not for gelu"):
        read_source(given, "gelu")


def test_the_task_of_a_text_must_be_named() -> None:
    with pytest.raises(BadInput, match="does not say its task"):
        read_source(RELU)
    with pytest.raises(BadInput, match=r"no task matches 'rellu'.*did you mean relu"):
        read_source(RELU, "rellu")
    with pytest.raises(BadInput, match=r"names .* tasks, expected one"):
        read_source(RELU, "*")


def test_a_path_must_lead_to_one_submission(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="does not exist"):
        read_source(tmp_path / "relu.py")
    for several in (tmp_path, tmp_path / "set.jsonl"):
        with pytest.raises(BadInput, match="use read_submissions"):
            read_source(several, "relu")
    (tmp_path / "mine.py").write_text(RELU)
    with pytest.raises(BadInput, match=r"no task called 'mine'"):
        read_source(tmp_path / "mine.py")
    assert read_source(tmp_path / "mine.py", "relu").name == "mine"


@pytest.mark.parametrize(("given", "named"), [(5, "an int"), (b"x", "a bytes"), (None, "None")])
def test_anything_else_is_refused_in_one_line(given: Any, named: str) -> None:
    with pytest.raises(TypeError, match=f"a text, a Path or a Submission, not {named}"):
        read_source(given, "relu")
