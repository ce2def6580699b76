"""scripts/measure_tree.py: what it counts, on a small tree."""

from pathlib import Path
from types import ModuleType

import pytest

from script_files import script as load

FILES = {
    "src/kernelbenchx/core/first.py": (
        "from kernelbenchx.core.second import told\n\n\nclass Plan:\n    pass\n"
    ),
    "src/kernelbenchx/core/second.py": (
        "class _Plan:\n    @property\n    def known(self): ...\n\n\ndef told(): ...\n"
    ),
    "src/kernelbenchx/worker/gpu_desk.py": "import worker.wide\n\n\ndef take_crews(wall_s): ...\n",
    "src/kernelbenchx/worker/wide.py": "\n" * 60,
    "src/kernelbenchx/export/data_card.py": "from . import other\nfrom .. import core\n",
    "src/kernelbenchx/export/other.py": "",
    "src/kernelbenchx/tasks/math/add.py": "def given(): ...\nclass Plan: ...\n",
    "src/kernelbenchx/attacks/suite/n1.py": "def warmth(): ...\n",
    "src/kernelbenchx/witnesses/math/add.py": "\n\n",
    "tests/test_first.py": "\n\n\n",
}


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return load("measure_tree")


@pytest.fixture
def tree(script: ModuleType, tmp_path: Path) -> object:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return script.Tree(tmp_path)


def test_what_is_counted(script: ModuleType, tree: object) -> None:
    assert script.measure(tree) == {
        "lines of attacks": 1,
        "lines of machinery": 5 + 6 + 4 + 60 + 2,
        "lines of tasks and witnesses": 4,
        "lines of tests": 3,
        "class names used twice": 1,
        "functions that are bare participles": 1,
        "files under 50 lines with one importer beside": 2,
        "names on the word list": 2,
    }
    found = [one.find(tree) for one in script.MEASURES]
    assert found == [
        ["Plan: core/first.py:4, core/second.py:1"],
        ["core/second.py:6 told"],
        ["core/second.py (6 lines): first.py", "export/other.py (0 lines): data_card.py"],
        ["worker/gpu_desk.py", "worker/gpu_desk.py:4 take_crews"],
    ]


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("_said", True), ("drawn", True), ("written", True), ("flatten", False), ("run", False),
     ("read_header", False), ("known_names", False)],
)  # fmt: skip
def test_bare_participles(script: ModuleType, name: str, is_one: bool) -> None:
    assert script.is_participle(name) is is_one


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("find_card", True), ("GpuCards", True), ("wall_s", False), ("DataCard", False),
     ("discard", False), ("WALL_S", False)],
)  # fmt: skip
def test_words_of_the_list(script: ModuleType, name: str, is_one: bool) -> None:
    assert script.is_dialect(name) is is_one


def test_the_table_says_which_limits_are_exceeded(script: ModuleType) -> None:
    numbers = dict.fromkeys(script.limits(), 11)
    first, *rows = script.render({"old": numbers, "here": numbers})
    assert first.split() == ["old", "here", "at", "most"]
    assert rows[4].split()[-3:] == ["11", "11", "10"]
    assert script.list_exceeded(numbers) == ["class names used twice", "names on the word list"]
