"""A warm compiler that records calls on a machine without a card."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from script_files import script

SCRIPT = Path(__file__).parents[3] / "scripts" / "replay_share.py"


@pytest.fixture(scope="session")
def recorder() -> Iterator[Any]:
    """The recorder of the script that prints the shares."""
    with script("replay_share").recorder() as recorder:
        yield recorder
