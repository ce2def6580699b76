"""docs/api.md: its examples print what it says, and it names every public name and setting."""

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

import kernelbenchx
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.settings import Settings

TEXT = (Path(__file__).resolve().parents[1] / "docs" / "api.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", TEXT, flags=re.M | re.S)
RELU = kernelbenchx.task("relu").witness


@pytest.mark.slow
@pytest.mark.usefixtures("warm_workers")
def test_the_examples_print_what_they_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("pandas")
    monkeypatch.setattr("kernelbenchx.evaluate.settings_resolution.has_gpu", lambda: False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_relu.py").write_text(RELU)
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "relu.py").write_text(RELU)
    (tmp_path / "kernels" / "unheard_of.py").write_text(RELU)
    names: dict[str, Any] = {}
    for block in BLOCKS:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(block, names)
        said = [line[1:].removeprefix(" ") for line in re.findall(r"^#.*$", block, re.M)]
        got = printed.getvalue().splitlines()
        assert got[: len(said)] == said, block
    assert not list(tmp_path.glob("*.sqlite")), "only where a run folder was named"


def test_every_public_name_is_in_the_table() -> None:
    table = TEXT.partition("| name | what it is |")[2].partition("\n\n")[0]
    named = set(re.findall(r"`(\w+)`", table))
    assert named == set(kernelbenchx.__all__) - {"__version__"}


def test_every_setting_is_in_its_table_and_no_other() -> None:
    table = TEXT.partition("## Settings")[2].partition("## ")[0]
    rows = re.findall(r"^\| (`[^|]*) \|", table, flags=re.M)
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == set(
        Settings.__struct_fields__
    )


def test_fields_of_an_evaluation_are_there() -> None:
    table = TEXT.partition("| field of an `Evaluation` | says |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (`[^|]*) \|", table, flags=re.M)
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert len(named) > 15
    assert [name for name in named if not hasattr(Evaluation, name)] == []


def test_no_sentence_is_long() -> None:
    prose = re.sub(r"^```.*?^```$|^\|.*$", "", TEXT, flags=re.M | re.S)
    long = [one for one in re.split(r"(?<=[.:?])\s", prose) if len(one.split()) > 30]
    assert long == []
