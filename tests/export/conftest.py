"""A run with one line of attempts in which everything happens once."""

from pathlib import Path

import pytest

from export.lines_of_attempts import ROUNDS, write_line


@pytest.fixture(scope="session")
def line(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_line(tmp_path_factory.mktemp("line") / "run", ROUNDS)
