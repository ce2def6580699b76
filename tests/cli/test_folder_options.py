"""A task outside the package works like one inside: the example of CONTRIBUTING.md, as files."""

import json
from pathlib import Path

import pytest

from cli_types import Kbx

DOCUMENT = Path(__file__).resolve().parents[2] / "CONTRIBUTING.md"


def _shown(number: int) -> str:
    return DOCUMENT.read_text(encoding="utf-8").split("```python\n")[number].partition("```")[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for kind, number in (("tasks", 1), ("witnesses", 2)):
        file = tmp_path / "mine" / kind / "math" / "square.py"
        file.parent.mkdir(parents=True)
        file.write_text(_shown(number), encoding="utf-8")
    return tmp_path / "mine"


@pytest.mark.slow
def test_it_is_listed_and_shown(kbx: Kbx, folder: Path) -> None:
    (row,) = json.loads(kbx("tasks", "square", "--tasks", folder, "--json").stdout)
    assert (row["name"], row["category"], row["certified"]) == ("square", "math", False)
    shown = kbx("show", "square", "--tasks", folder)
    assert "def square(input: torch.Tensor)" in shown.stdout and "Any strides" in shown.stdout
    assert "no task matches 'square'" in kbx("show", "square").stderr


@pytest.mark.slow
def test_a_right_kernel_is_correct_and_a_wrong_one_is_not(
    kbx: Kbx, folder: Path, tmp_path: Path
) -> None:
    right = _shown(2)
    (tmp_path / "square__right.py").write_text(right, encoding="utf-8")
    wrong = right.replace("v * v", "v + v")
    assert wrong != right
    (tmp_path / "square__doubled.py").write_text(wrong, encoding="utf-8")
    sources = [tmp_path / "square__right.py", tmp_path / "square__doubled.py"]
    ran = kbx("eval", *sources, "--tasks", folder, "--device", "interpreter", "--json",
              "--out", tmp_path / "run")  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    results = json.loads(ran.stdout)["results"]
    outcomes = {one["submission"]: one["outcome"]["kind"] for one in results}
    assert outcomes == {"square__right": "correct", "square__doubled": "wrong"}


def test_a_folder_without_tasks_is_one_clear_line(kbx: Kbx, tmp_path: Path) -> None:
    ended = kbx("tasks", "--tasks", tmp_path)
    assert ended.returncode == 2
    assert f"{tmp_path} holds no tasks: expected" in ended.stderr
