"""Folders of published problem files: what is a problem, and what it is called."""

import os
from pathlib import Path

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.kernelbench import find_problem
from kernelbenchx.catalog.problem_folders import VARIABLE, add_problems, published_in
from kernelbenchx.core.errors import BadInput
from published_problems import SCALED, write_published


@pytest.fixture(autouse=True)
def no_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")


@pytest.mark.parametrize("inside", ["", "KernelBench/"])
def test_files_of_a_level_are_problems(tmp_path: Path, inside: str) -> None:
    for file in ("level1/902_b.py", "level1/91_a.py", "level2/903_c.py"):
        write_published(tmp_path, SCALED, inside + file)
    write_published(tmp_path, SCALED, inside + "level1/notes.py")
    write_published(tmp_path, SCALED, inside + "other/904_d.py")
    write_published(tmp_path, SCALED, inside + "level4/905_from_the_network.py")
    found = published_in(tmp_path).problems
    assert list(found) == ["level1/91_a", "level1/902_b", "level2/903_c"]
    one = found["level2/903_c"]
    assert (one.level, one.number, one.forward.name) == (2, 903, "forward")
    assert one.description.startswith("Each column")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def broken(:", "SyntaxError"),
        ("x = '\ud800'", "UnicodeDecodeError"),
        (SCALED.replace("class Model(", "class Other("), "does not define Model"),
        (SCALED.replace("get_inputs", "get_other"), "does not define get_inputs"),
        (SCALED.replace("def forward", "def backward"), "has no `forward`"),
        ("#" * (1 << 20) + "\n", "larger than 1 MiB"),
        ("x = " + "(" * 5000, "SyntaxError"),
        (SCALED.replace("forward(self, x)", f"forward(self, x={'1+' * 3000}1)"), "RecursionError"),
    ],
)
def test_what_is_no_problem_is_named_and_left_out(tmp_path: Path, text: str, why: str) -> None:
    write_published(tmp_path, SCALED)
    path = tmp_path / "level1" / "902_bad.py"
    path.write_bytes(text.encode(errors="surrogatepass"))
    found = published_in(tmp_path)
    assert list(found.problems) == ["level1/901_Scaled"]
    assert why in found.unreadable["level1/902_bad"]


def test_a_folder_without_problems_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"holds no problems: expected .*level1/<number>_<name>\.py"):
        add_problems(tmp_path)
    write_published(tmp_path / "broken", "def broken(:")
    with pytest.raises(BadInput, match="level1/901_Scaled: SyntaxError"):
        add_problems(tmp_path / "broken")
    assert os.environ[VARIABLE] == ""


def test_they_are_tasks_from_then_on(tmp_path: Path) -> None:
    assert find_problem(1, 901) is None and "level1/901_Scaled" not in catalog.names()
    add_problems(write_published(tmp_path, SCALED))
    assert find_problem(1, 901) == "level1/901_Scaled"
    assert catalog.select("level1/901*") == ("level1/901_Scaled",)
    assert catalog.path_of("level1/901_Scaled") == tmp_path / "level1" / "901_Scaled.py"
    assert catalog.find_published("level1/901_Scaled:bf16") is not None
    assert os.environ[VARIABLE] == str(tmp_path)


def test_a_problem_of_the_catalogue_stays_ours(tmp_path: Path) -> None:
    ours = next(name for name in catalog.problem_names() if name.startswith("level1/"))
    problem = facts(ours).problem
    assert problem is not None
    add_problems(write_published(tmp_path, SCALED, f"level1/{problem.number}_Same.py"))
    assert find_problem(1, problem.number) == ours
    assert f"level1/{problem.number}_Same" not in catalog.names()
    assert catalog.find_published(ours) is None


def test_the_data_set_as_published() -> None:
    folder = os.environ.get("KERNELBENCH")
    if not folder:
        pytest.skip("KERNELBENCH names no folder with the data set")
    found = published_in(Path(folder))
    assert len(found.problems) == 250 and not found.unreadable
