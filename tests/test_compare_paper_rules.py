"""The comparison with the published harness: what is compared, kept and printed."""

import argparse
import json
import time
from pathlib import Path
from types import ModuleType

import pytest

from script_files import script as load

HARNESS = """import argparse, json, pathlib
parser = argparse.ArgumentParser()
for name in ("source", "target", "folder", "GPUs", "result_jsonl"):
    parser.add_argument("--" + name)
given = parser.parse_args()
text = pathlib.Path(given.source).read_text() if given.source else "{stage}"
called = "never" not in text
if given.source and called:
    pathlib.Path(given.target).mkdir()
    (pathlib.Path(given.target) / "relu.py").write_text(text)
found = [one.read_text() for one in pathlib.Path(given.folder).iterdir()] if given.folder else []
ok = called and "wrong" not in "".join(found)
row = {{"ok": ok, "stderr": "" if ok else "Traceback (most recent call last):\\nNameError: x"}}
pathlib.Path(given.result_jsonl).write_text(json.dumps(row) + "\\n")
"""


@pytest.fixture
def script() -> ModuleType:
    return load("compare_paper_rules")


def _options(folder: Path) -> argparse.Namespace:
    scripts = folder / "harness" / "EVAL"
    scripts.mkdir(parents=True)
    for stage in ("0_call_acc.py", "1_exe_acc.py"):
        (scripts / stage).write_text(HARNESS.format(stage=stage))
    out = folder / "out"
    out.mkdir()
    return argparse.Namespace(
        harness=scripts.parent, out=out, jobs=1, kernel_s=5.0, keep=False, only="both"
    )


def test_rows_name_tasks_as_here_or_as_published(
    script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"id": "a", "task": "activation/relu", "source": "x = 1\n"},
        {"file": "Math/abs.py", "predict": "text\n```python\ny = 2\n```\nmore"},
        {"file": "Math/of_the_future.py", "predict": ""},
    ]
    path = tmp_path / "kernels.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = [(one.name, one.task, one.stem, one.source) for one in script.read_kernels(path)]
    assert found == [("a", "activation/relu", "relu", "x = 1\n"), ("2", "math/abs", "abs", "y = 2")]
    assert "line 3: no task Math/of_the_future" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("source", "state", "reason"),
    [
        ("right", "correct", ""),
        ("wrong", "called, not correct", "NameError: x"),
        ("never", "not called", "NameError: x"),
    ],
)
def test_the_harness_is_asked_once_for_each_kernel(
    script: ModuleType, tmp_path: Path, source: str, state: str, reason: str
) -> None:
    options = _options(tmp_path)
    kernels = [script.Kernel("k", "activation/relu", source)]
    found = script.by_the_harness(kernels, options, time.monotonic() + 100)
    assert found == {"k": script.Verdict(state, reason)}
    assert not list((options.out / "work").iterdir())
    (options.harness / "EVAL" / "0_call_acc.py").unlink()
    again = script.by_the_harness(kernels, options, time.monotonic() + 100)
    assert again == found, "it is kept"


def test_without_time_it_is_left_for_another_command(script: ModuleType, tmp_path: Path) -> None:
    kernels = [script.Kernel("k", "activation/relu", "right")]
    assert script.by_the_harness(kernels, _options(tmp_path), time.monotonic() + 1) == {}


def test_differences_come_first_and_agreement_is_counted(script: ModuleType) -> None:
    kernels = [script.Kernel(name, "activation/relu", "") for name in "abcd"]
    right, wrong, broken = map(
        script.Verdict, ("correct", "called, not correct", "not called"), ("", "1 |\n  2", "raised")
    )
    theirs = {"a": right, "b": right, "c": wrong, "d": wrong}
    ours = {"a": right, "b": wrong, "c": broken}
    lines = list(script.table(kernels, theirs, ours))
    assert [line.split(" | ")[1] for line in lines[2:6]] == ["b", "a", "c", "d"]
    assert [line.split(" | ")[4].strip() for line in lines[2:6]] == [
        "no",
        "yes",
        "yes, at another stage",
        "",
    ]
    assert "1 / 2" in lines[2], "it is one cell in one line of a table"
    assert "3 kernels over 1 tasks judged by both: the same correct or not 2" in lines
    assert [script.differs(theirs, ours, one) for one in kernels] == [False, True, False, False]
