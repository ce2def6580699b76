"""`--correct`: one of three standards reaches the command, and nothing else is taken."""

import click
import pytest
from click.testing import CliRunner

from kernelbenchx.cli.standard_option import standard_option
from kernelbenchx.core.standards import Standard


@click.command()
@standard_option("What counts.")
@click.option("--name", default="a")
def command(standard: Standard, name: str) -> None:
    click.echo(f"{standard!r} {name}")


@pytest.mark.parametrize(
    ("words", "standard"),
    [
        ([], Standard.STRICT),
        (["--correct", "basic"], Standard.BASIC),
        (["--correct", "core"], Standard.CORE),
    ],
)
def test_the_command_gets_the_standard(words: list[str], standard: Standard) -> None:
    said = CliRunner().invoke(command, [*words, "--name", "b"])
    assert (said.exit_code, said.output) == (0, f"{standard!r} b\n")


def test_another_word_is_refused() -> None:
    said = CliRunner().invoke(command, ["--correct", "loose"])
    assert said.exit_code == 2
    assert "'basic', 'core', 'strict'" in said.output
