"""Landlock refuses what was not granted, for good."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kernelbenchx.worker import landlock

pytestmark = [
    pytest.mark.skipif(
        sys.platform != "linux" or landlock.abi() == 0, reason="no Landlock in this kernel"
    ),
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]


def in_child(action: Callable[[], bool]) -> bool:
    """Whether an action holds in a process that may be thrown away."""
    child = os.fork()
    if child == 0:
        code = 2
        try:
            code = 0 if action() else 1
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 0


def possible(action: Callable[[], object]) -> bool:
    try:
        action()
    except PermissionError:
        return False
    return True


def test_grants_open_and_everything_else_stays_shut(tmp_path: Path) -> None:
    for name in ("read", "write", "list", "none"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("x")
    grants = [
        (str(tmp_path / "read"), landlock.READ),
        (str(tmp_path / "write"), landlock.WRITE),
        (str(tmp_path / "list"), landlock.LIST),
        (str(tmp_path / "missing"), landlock.READ),
    ]

    def rights(folder: Path) -> str:
        tried: dict[str, Callable[[], object]] = {
            "r": (folder / "file").read_text,
            "w": (folder / "new").touch,
            "l": lambda: list(folder.iterdir()),
        }
        return "".join(letter for letter, action in tried.items() if possible(action))

    def look() -> bool:
        landlock.restrict(grants)
        found = {name: rights(tmp_path / name) for name in ("read", "write", "list", "none")}
        return found == {"read": "rl", "write": "rwl", "list": "l", "none": ""}

    assert in_child(look)


@pytest.mark.skipif(landlock.abi() < 6, reason="signals are held back from Landlock 6 on")
def test_signals_stay_inside() -> None:
    parent = os.getpid()

    def try_signal() -> bool:
        before = possible(lambda: os.kill(parent, 0))
        landlock.restrict([])
        return before and not possible(lambda: os.kill(parent, 0))

    assert in_child(try_signal)
