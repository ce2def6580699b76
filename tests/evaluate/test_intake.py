import json
from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.evaluate.intake import read

SOURCE = "def relu(input, inplace=False):\n    return input\n"


def test_a_file_names_its_task(tmp_path: Path) -> None:
    (tmp_path / "relu.py").write_text(SOURCE)
    (tmp_path / "gelu__first_try.py").write_text(SOURCE)
    found = read([tmp_path])
    assert [(one.name, one.task) for one in found.submissions] == [
        ("gelu__first_try", "activation/gelu"),
        ("relu", "activation/relu"),
    ]


def test_a_file_with_another_name_needs_the_task(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    with pytest.raises(BadInput, match="--task"):
        read([path])
    assert read([path], "relu").submissions[0].task == "activation/relu"


def test_a_data_set_row_without_a_task_here_is_named_not_dropped(tmp_path: Path) -> None:
    rows = [
        {"id": "r1", "file": "Activation/relu.py", "predict": f"```python\n{SOURCE}```"},
        {"id": "r2", "file": "Fusion/of_the_future.py", "predict": "x = 1"},
        {"file": "activation/relu.py", "predict": SOURCE, "round": 2},
    ]
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    found = read([path])
    assert [one.name for one in found.submissions] == ["r1", "set:3"]
    assert found.submissions[0].source == SOURCE
    assert found.submissions[1].origin.round == "2"
    assert found.unknown == ["r2 (Fusion/of_the_future)"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("set.jsonl", "{"),
        ("set.jsonl", "[1]"),
        ("set.jsonl", '{"predict": 3, "file": "Activation/relu.py"}'),
        ("relu.so", "x"),
    ],
)
def test_what_cannot_be_read_is_one_clear_line(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(BadInput) as raised:
        read([path])
    assert "\n" not in str(raised.value)
    assert name in str(raised.value)


def test_nothing_to_judge_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no submission"):
        read([tmp_path])
    with pytest.raises(BadInput, match="does not exist"):
        read([tmp_path / "nowhere.py"])
    (tmp_path / "relu.py").write_bytes(b"\xff\xfe")
    for source in (tmp_path, tmp_path / "relu.py"):
        with pytest.raises(BadInput, match="UTF-8"):
            read([source])
    (tmp_path / "set.jsonl").write_text('{"file": "Fusion/none.py", "predict": "x"}')
    with pytest.raises(BadInput, match=r"no such task: set:1 \(Fusion/none\)"):
        read([tmp_path / "set.jsonl"])


def test_stray_files_of_a_folder_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "relu.py").write_text(SOURCE)
    (tmp_path / "plotting.py").write_text("import this\n")
    (tmp_path / "gelu.py").write_bytes(b"\xff\xfe")
    (tmp_path / "set.jsonl").write_text("{")
    (tmp_path / "folder.py").mkdir()
    found = read([tmp_path])
    assert [one.name for one in found.submissions] == ["relu"]
    assert found.unknown == ["plotting.py (plotting)"]
    assert ["gelu.py is not UTF-8" in found.unread[0], "not JSON" in found.unread[1]] == [True] * 2
    with pytest.raises(BadInput, match="no task called 'plotting'"):
        read([tmp_path, tmp_path / "plotting.py"])


def test_files_of_one_name_stay_tellable_apart(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "relu.py").write_text(SOURCE)
    assert [one.name for one in read([tmp_path]).submissions] == ["relu", "relu#2"]


def test_of_a_reply_the_block_counts_that_defines_the_entry(tmp_path: Path) -> None:
    kernel = "def relu(input, inplace=False):\n    return input\n"
    tests = "".join(f"def test_{number}():\n    assert True\n" for number in range(9))
    reply = f"Here:\n```python\n{kernel}```\nand its tests:\n```python\n{tests}```\n"
    (tmp_path / "relu.md").write_text(reply, encoding="utf-8")
    row = json.dumps({"predict": reply, "file": "relu.py"})
    (tmp_path / "replies.jsonl").write_text(f"{row}\n", encoding="utf-8")
    found = read([tmp_path / "relu.md", tmp_path / "replies.jsonl"]).submissions
    assert [one.source.strip() for one in found] == [kernel.strip()] * 2


def test_a_file_of_python_is_judged_as_it_is_and_a_reply_by_its_block(tmp_path: Path) -> None:
    text = f'"""As in\n```python\n{SOURCE}```\n"""\nx = = 1\n'
    for name, content in {
        "relu.py": text,
        "relu.md": text,
        "relu__saved.py": f"```python\n{SOURCE}```\n",
        "relu.cu": text,
    }.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    found = {one.origin.file: one.source for one in read([tmp_path]).submissions}
    assert found == {
        "relu.py": text,
        "relu.md": SOURCE,
        "relu__saved.py": SOURCE,
        "relu.cu": text,
    }
