"""The worked examples of prompts as tasks."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import kernelbenchx.tasks
from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts

EXTRA = Path(__file__).parents[1] / "tasks" / "extra" / "tasks"


@pytest.fixture
def as_tasks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The examples as tasks with a reference and cases, which only tests have."""
    monkeypatch.setattr(kernelbenchx.tasks, "__path__", [str(catalog.ROOT), str(EXTRA)])
    ours = catalog.path_of
    monkeypatch.setattr(
        catalog,
        "path_of",
        lambda name: EXTRA / f"{name}.py" if name.startswith("examples/") else ours(name),
    )
    yield
    facts.cache_clear()
