from pathlib import Path

import click
import pytest

from kernelbenchx.cli.path_types import NamedPath


def test_a_path_is_taken_as_it_is() -> None:
    kind = NamedPath(path_type=Path)
    for said in ("runs/x", ".", " ", Path("runs/default")):
        assert kind.convert(said, None, None) == Path(said)


def test_an_empty_one_is_not_the_current_folder() -> None:
    with pytest.raises(click.BadParameter, match="the name is empty"):
        NamedPath(path_type=Path).convert("", None, None)
