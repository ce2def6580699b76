"""Own labels as a file holds them."""

from pathlib import Path

import pytest

from kernelbenchx.cli.labels import read_labels
from kernelbenchx.core.errors import BadInput


def _file(folder: Path, text: str) -> Path:
    path = folder / "labels.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("head", ["", "task,category\n", "\ufefftask, category\r\n"])
def test_a_line_is_a_task_and_its_category(tmp_path: Path, head: str) -> None:
    path = _file(tmp_path, f'{head}math/add,Math\n\n"softmax", Own words\nmath/add,Math\n')
    assert read_labels(path) == {"math/add": "Math", "softmax": "Own words"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,Math\nb\n", "line 2: a task and a category"),
        ("a,Math,Loss\n", "line 1: a task"),
        ("a,\n", "line 1: a task"),
        ("a,Math\na,Loss\n", "line 2: a is Math above"),
        ("task,category\n", "holds no label"),
    ],
)
def test_anything_else_is_refused_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read_labels(_file(tmp_path, text))
