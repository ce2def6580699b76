import json
from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.submission import Origin
from kernelbenchx.core.text import LONGEST_PATH
from kernelbenchx.evaluate.intake import ROWS_TOLD, read_intake

SOURCE = "def relu(input, inplace=False):\n    return input\n"


def test_a_file_names_its_task(tmp_path: Path) -> None:
    (tmp_path / "relu.py").write_text(SOURCE)
    (tmp_path / "gelu__first_try.py").write_text(SOURCE)
    found = read_intake([tmp_path])
    assert [(one.name, one.task) for one in found.submissions] == [
        ("gelu__first_try", "activation/gelu"),
        ("relu", "activation/relu"),
    ]


def test_a_file_with_another_name_needs_the_task(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    with pytest.raises(BadInput, match="name it with `task`"):
        read_intake([path])
    assert read_intake([path], "relu").submissions[0].task == "activation/relu"


def test_a_data_set_row_without_a_task_here_is_named_not_dropped(tmp_path: Path) -> None:
    rows = [
        {"id": "r1", "file": "Activation/relu.py", "predict": f"```python\n{SOURCE}```"},
        {"id": "r2", "file": "Fusion/of_the_future.py", "predict": "x = 1"},
        {"file": "activation/relu.py", "predict": SOURCE, "round": 2},
    ]
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    found = read_intake([path])
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
        read_intake([path])
    assert "\n" not in str(raised.value)
    assert name in str(raised.value)


def test_nothing_to_judge_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no submission"):
        read_intake([tmp_path])
    with pytest.raises(BadInput, match="does not exist"):
        read_intake([tmp_path / "nowhere.py"])
    (tmp_path / "relu.py").write_bytes(b"\xff\xfe")
    for source in (tmp_path, tmp_path / "relu.py"):
        with pytest.raises(BadInput, match="UTF-8"):
            read_intake([source])
    (tmp_path / "set.jsonl").write_text('{"file": "Fusion/none.py", "predict": "x"}')
    with pytest.raises(BadInput, match=r"no such task: set:1 \(Fusion/none\)"):
        read_intake([tmp_path / "set.jsonl"])


def test_stray_files_of_a_folder_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "relu.py").write_text(SOURCE)
    (tmp_path / "plotting.py").write_text("import this\n")
    (tmp_path / "gelu.py").write_bytes(b"\xff\xfe")
    (tmp_path / "set.jsonl").write_text("{")
    (tmp_path / "folder.py").mkdir()
    found = read_intake([tmp_path])
    assert [one.name for one in found.submissions] == ["relu"]
    assert found.unknown == ["plotting.py (plotting)"]
    assert ["gelu.py is not UTF-8" in found.unread[0], "not JSON" in found.unread[1]] == [True] * 2
    assert not found.refused
    found = read_intake([tmp_path, tmp_path / "plotting.py"])
    assert "no task called 'plotting'" in found.refused[0] and found.refused[0] in found.unread
    with pytest.raises(BadInput, match="no task called 'plotting'"):
        read_intake([tmp_path / "plotting.py"])


def test_files_of_one_name_stay_tellable_apart(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "relu.py").write_text(SOURCE)
    assert [one.name for one in read_intake([tmp_path]).submissions] == ["relu", "relu#2"]


def test_of_a_reply_the_block_counts_that_defines_the_entry(tmp_path: Path) -> None:
    kernel = "def relu(input, inplace=False):\n    return input\n"
    tests = "".join(f"def test_{number}():\n    assert True\n" for number in range(9))
    reply = f"Here:\n```python\n{kernel}```\nand its tests:\n```python\n{tests}```\n"
    (tmp_path / "relu.md").write_text(reply, encoding="utf-8")
    row = json.dumps({"predict": reply, "file": "relu.py"})
    (tmp_path / "replies.jsonl").write_text(f"{row}\n", encoding="utf-8")
    found = read_intake([tmp_path / "relu.md", tmp_path / "replies.jsonl"]).submissions
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
    found = {one.origin.file: one.source for one in read_intake([tmp_path]).submissions}
    assert found == {
        "relu.py": text,
        "relu.md": SOURCE,
        "relu__saved.py": SOURCE,
        "relu.cu": text,
    }


def _set(path: Path, *rows: object) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def _asks_for(signature: str) -> str:
    return (
        "Write kernels and a wrapper that match the description.\n"
        "Functional Description: like torch.nn.functional.gelu(x), elementwise.\n"
        f"Wrapper Entry Information: {signature} -> Tensor: input (Tensor): of any shape.\n"
    )


@pytest.mark.parametrize(
    ("signature", "task"),
    [
        ("relu(input, inplace=False)", "activation/relu"),
        ("def relu(input: torch.Tensor, inplace: bool = False)", "activation/relu"),
        ("torch.nn.functional.softmax(input, dim)", "math/softmax"),
        ("class AdamW(params)", "optimizer/AdamW"),
        ("std (input, dim=None)", "reduce/std"),
        ("lion_step(param, grad, exp_avg)", "optimizer/Lion"),
        ("relu_and_more(input)", None),
        ("r*lu(input)", None),
    ],
)
def test_a_row_without_a_file_is_matched_by_the_entry_its_instruction_asks_for(
    tmp_path: Path, signature: str, task: str | None
) -> None:
    row = {"instruction": _asks_for(signature), "predict": SOURCE}
    found = read_intake([_set(tmp_path / "set.jsonl", row, {"file": "relu", "predict": SOURCE})])
    assert [one.task for one in found.submissions[:-1]] == ([task] if task else [])
    assert len(found.not_judged) == (task is None)


def test_the_file_of_a_row_is_believed_before_its_instruction(tmp_path: Path) -> None:
    row = {"instruction": _asks_for("relu(input)"), "file": "Activation/gelu.py", "predict": SOURCE}
    assert read_intake([_set(tmp_path / "set.jsonl", row)]).submissions[0].task == "activation/gelu"


def test_rows_of_wrong_types_cost_themselves_and_are_counted(tmp_path: Path) -> None:
    rows: list[object] = [
        {"file": "relu.py", "predict": SOURCE, "id": {"deep": []}, "model": ["x"], "round": None},
        {"file": "relu.py", "predict": None},
        {"file": 3, "predict": SOURCE, "instruction": _asks_for("relu(input)")},
        {"predict": SOURCE},
        {"predict": SOURCE, "instruction": "Write relu."},
        {"file": "gelu/of_the_future.py", "predict": SOURCE},
        {"file": "[r]elu", "predict": SOURCE},
        {"file": "x" * 100_000, "predict": SOURCE},
        [],
    ]
    found = read_intake([_set(tmp_path / "set.jsonl", *rows)])
    assert [one.name for one in found.submissions] == ["set:1"]
    assert found.submissions[0].origin == Origin(file="set.jsonl")
    assert (found.total, found.rows, len(found.unread), len(found.unknown)) == (9, 9, 5, 3)
    assert all(len(one.detail) <= LONGEST_PATH for one in found.not_judged)
    assert all(len(one) <= 300 for one in found.unknown)
    assert {one.source for one in found.not_judged} == {str(tmp_path / "set.jsonl")}
    for line in (2, 3, 4, 5, 9):
        assert any(f"set.jsonl:{line}: " in one for one in found.unread)


def test_names_and_sources_can_be_shown_and_kept(tmp_path: Path) -> None:
    row = {
        "file": "relu.py",
        "id": "\x1b[2J\nfake" + "x" * 500,
        "predict": "x = '\ud83d'\n" + SOURCE,
        "model": "\x1b]0;title\x07",
    }
    (one,) = read_intake([_set(tmp_path / "set.jsonl", row)]).submissions
    assert one.name.isprintable() and len(one.name) <= 120
    assert one.origin.model.isprintable()
    assert one.digest and "def relu" in one.source


def test_all_rows_have_names_of_their_own(tmp_path: Path) -> None:
    rows = [{"id": name, "file": "relu", "predict": SOURCE} for name in ("a", "a", "a#2", "a")]
    found = read_intake([_set(tmp_path / "set.jsonl", *rows)])
    assert [one.name for one in found.submissions] == ["a", "a#3", "a#2", "a#4"]


def test_thousands_of_rows_are_read_and_counted(tmp_path: Path) -> None:
    known = {"file": "Activation/relu.py", "predict": SOURCE}
    unknown = {"file": "Fusion/of_the_future.py", "predict": SOURCE}
    path = _set(tmp_path / "set.jsonl", *([known] + [unknown] * 4) * 1000)
    found = read_intake([path])
    assert (len(found.submissions), len(found.unknown), found.total) == (1000, 4000, 5000)


def test_a_data_set_of_a_folder_costs_only_its_bad_rows(tmp_path: Path) -> None:
    _set(tmp_path / "set.jsonl", {"file": "relu", "predict": SOURCE}, 3)
    found = read_intake([tmp_path])
    assert (len(found.submissions), len(found.unread)) == (1, 1)
    assert {one.source for one in found.not_judged} == {str(tmp_path)}


def test_reading_many_rows_says_how_far_it_is(tmp_path: Path) -> None:
    row = json.dumps({"file": "relu.py", "predict": SOURCE})
    path = tmp_path / "set.jsonl"
    path.write_text(f"{row}\n" * (2 * ROWS_TOLD + 1))
    told: list[int] = []
    assert read_intake([path], tell=told.append).rows == 2 * ROWS_TOLD + 1
    assert told == [ROWS_TOLD, 2 * ROWS_TOLD]
    path.write_text(f"{row}\n" * (ROWS_TOLD - 1))
    assert read_intake([path], tell=told.append).rows == ROWS_TOLD - 1 and len(told) == 2
