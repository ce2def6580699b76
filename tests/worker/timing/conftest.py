"""A warm compiler that records calls on a machine without a card."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[3] / "scripts" / "replay_share.py"


@pytest.fixture(scope="session")
def recorder() -> Iterator[Any]:
    """The recorder of the script that prints the shares."""
    spec = importlib.util.spec_from_file_location("replay_share", SCRIPT)
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    with script.recorder() as recorder:
        yield recorder
