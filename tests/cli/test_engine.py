"""`--engine`, `--address` and `--gpu` on the command line."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from cli_types import Kbx
from kernelbenchx.cli.engine import NodeNotes, engine_options, take_engine
from kernelbenchx.cli.settings import jobs_option
from kernelbenchx.cluster.engine import EngineChoice
from kernelbenchx.core.errors import BadInput


def _taken(*words: str) -> EngineChoice:
    found: list[EngineChoice] = []

    @click.command()
    @jobs_option("Submissions")
    @engine_options
    def command(**options: object) -> None:
        found.append(take_engine(options))
        assert set(options) == {"jobs"}

    result = CliRunner().invoke(command, list(words))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    (choice,) = found
    return choice


def test_without_options_this_machine_judges() -> None:
    assert _taken() == EngineChoice()
    assert _taken("--jobs", "3") == EngineChoice(jobs=3)


def test_the_default_of_jobs_is_about_this_machine_and_not_about_nodes() -> None:
    words = ("--engine", "ray", "--address", "head:6379", "--gpu", "H200")
    wanted = EngineChoice(name="ray", address="head:6379", gpu="H200")
    assert _taken(*words) == wanted
    assert _taken(*words, "--jobs", "3").jobs == 3


def test_an_address_alone_is_refused() -> None:
    with pytest.raises(BadInput, match="needs `engine='ray'`"):
        _taken("--address", "head:6379")


def test_nodes_are_named_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    notes = NodeNotes()
    notes.stage("s", "calling")
    notes.note("host/1: refused: isolation L1")
    assert capsys.readouterr() == ("", "host/1: refused: isolation L1\n")


@pytest.mark.parametrize("name", ["evaluate", "certify", "generate", "study", "redteam"])
def test_every_command_that_judges_has_the_options(name: str) -> None:
    import importlib

    command = importlib.import_module(f"kernelbenchx.cli.{name}").command
    assert {"engine", "address", "gpu_kind"} <= {one.name for one in command.params}


def test_commands_that_judge_nothing_have_none_of_them() -> None:
    from kernelbenchx.cli.show import command

    assert "engine" not in {one.name for one in command.params}


def test_a_kind_of_gpu_is_not_for_the_interpreter(kbx_here: Kbx, tmp_path: Path) -> None:
    (tmp_path / "relu.py").write_text("")
    words = (
        "eval",
        tmp_path / "relu.py",
        "--stage",
        "check",
        "--out",
        tmp_path / "o",
        "--gpu",
        "L4",
    )
    lone = kbx_here(*words)
    assert lone.returncode == 2 and "'L4' needs --engine ray; on this machine" in lone.stderr
    said = kbx_here(*words, "--engine", "ray", "--device", "interpreter")
    assert said.returncode == 2 and "--device interpreter uses none" in said.stderr
