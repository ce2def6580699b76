"""Skips what needs a card, and names the reason."""

import warnings
from pathlib import Path

import pytest

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


@pytest.fixture(scope="session")
def shared() -> Path:
    """Reference material that is not part of the project; tests that need it skip without it."""
    if not SHARED.is_dir():
        pytest.skip("no shared reference material beside the checkout")
    return SHARED
