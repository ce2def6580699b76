"""The pages about methods say what the methods do, and their commands are taken as they stand."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from generate.loopback import Loopback, Say
from kernelbenchx.cli.main import kbx
from kernelbenchx.generate import methods
from kernelbenchx.generate.prompts import forms
from kernelbenchx.generate.run_tasks import End
from script_files import script

ROOT = Path(__file__).resolve().parents[1]
METHODS = (ROOT / "docs" / "reference" / "methods.md").read_text(encoding="utf-8")
GENERATE = (ROOT / "docs" / "reference" / "generate.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", METHODS + GENERATE, flags=re.M | re.S)
COMMANDS = [
    line for block in BLOCKS for line in block.splitlines() if line.startswith("kbx generate ")
]


@pytest.mark.parametrize("text", [METHODS, GENERATE], ids=["methods", "generate"])
def test_tables_and_samples_are_up_to_date(text: str) -> None:
    assert script("write_generate_docs").written(text) == text, (
        "run python scripts/write_generate_docs.py"
    )
    assert (
        script("write_generate_docs").written(
            text.replace("```\nResult", "```\nresult").replace("`10`", "`11`")
        )
        == text
    )


@pytest.mark.parametrize("name", methods.names())
def test_every_method_has_its_section_and_its_options(name: str) -> None:
    section = METHODS.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    for option in methods.options_of(name):
        assert f"| `{option.name}` | `{option.default}` |" in section
    assert f"[`{name}`](#{name})" in METHODS


def test_no_method_is_described_that_is_not_there() -> None:
    described = re.findall(r"^## (\w+)$", METHODS, flags=re.M)
    assert described == list(methods.ORDER)


def test_every_form_and_every_end_is_explained() -> None:
    for form in forms():
        assert f"`{form}`" in GENERATE
    ends = re.findall(r"^\| ([a-z ]+) \| ", GENERATE.partition("A task ends in")[2], flags=re.M)
    assert ends[1 : len(End) + 1] == [end.value for end in End]


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai-secret")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-anthropic-secret")
    with Loopback(lambda _: Say("I would rather not.")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.root)
        yield server


@pytest.mark.parametrize("line", COMMANDS, ids=lambda line: line.rpartition("/")[2])
def test_commands_are_taken_as_they_stand(
    line: str, server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    # One task says as much as all of them.
    words = [server.url if re.match("https?://", word) else word for word in shlex.split(line)[1:]]
    words = ["relu" if word == "*" else word for word in words]
    assert kbx.main([*words, "--stage", "check", "--json"], standalone_mode=False) == 0
    capsys.readouterr()
    first = str(server.asked[0].body["messages"])
    if "--prompt" in words:
        marks = {
            "autotriton": "Functional Description:",
            "deepseek_coder": "Wrapper Entry Information:",
            "claude": "<task>",
            "kernelllm": "class ModelNew",
        }
        assert marks[words[words.index("--prompt") + 1]] in first
    assert server.asked[0].body["model"] in line


def test_the_published_models_have_a_command_each() -> None:
    shown = [re.search(r"--prompt (\w+)", line) for line in COMMANDS]
    assert {found[1] for found in shown if found} == set(forms()) - {"plain"}
