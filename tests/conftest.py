"""Skips what needs a card, and names the reason."""

import gc
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from kernelbenchx.evaluate.pipeline import Pipeline
    from kernelbenchx.evaluate.session import Session

SHARED = Path(__file__).resolve().parents[2] / "shared"


def _has_card() -> bool:
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.cuda.is_available()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    marked = [item for item in items if item.get_closest_marker("gpu")]
    if marked and not _has_card():
        for item in marked:
            item.add_marker(pytest.mark.skip(reason="needs a CUDA device"))


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """Runners that are tested in this process collect no garbage while they serve."""
    yield
    gc.enable()


@pytest.fixture(scope="session")
def shared() -> Path:
    """Reference material that is not part of the project; tests that need it skip without it."""
    if not SHARED.is_dir():
        pytest.skip("no shared reference material beside the checkout")
    return SHARED


@pytest.fixture(scope="session")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator["Session"]:
    """Warm interpreting and compiling workers, shared by all tests of a process."""
    from kernelbenchx.core.settings import Settings
    from kernelbenchx.evaluate.session import Session, resolved

    settings = resolved(Settings(device="interpreter", jobs=1, wall_s=60))
    with Session(settings, tmp_path_factory.mktemp("run")) as opened:
        yield opened


@pytest.fixture(scope="session")
def pipeline(session: "Session") -> "Pipeline":
    """The stages over those workers."""
    return session.pipeline
