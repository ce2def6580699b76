"""`make gpu`: tests of a card by the Python that is named, and one line where there is no card."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NO_CARD = "== no GPU here, or no torch that can use it: nothing was tested"
PYTHON = """#!/bin/sh
echo "$PYTHONPATH $@" >> {log}
case "$1" in -c) exit {card};; esac
exit {tests}
"""

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")


def _make(folder: Path, *, card: int = 0, tests: int = 0) -> tuple[int, str, list[str]]:
    """Exit code, what was said, and what a Python was asked that answers with these codes."""
    log, python = folder / "log", folder / "python"
    python.write_text(PYTHON.format(log=log, card=card, tests=tests))
    python.chmod(0o755)
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    ran = subprocess.run(
        ["make", "--no-print-directory", "gpu", f"PYTHON={python}", f"VENV={folder}/none"],
        cwd=ROOT,
        env=kept | {"PYTHONPATH": "/more"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert not (folder / "none").exists(), "nothing may be installed"
    return ran.returncode, ran.stdout + ran.stderr, log.read_text().splitlines()


def test_with_a_card_its_tests_are_run_by_the_python_that_was_named(tmp_path: Path) -> None:
    code, said, asked = _make(tmp_path)
    assert code == 0 and NO_CARD not in said
    assert len(asked) == 2 and "-m pytest" in asked[1] and asked[1].endswith("tests/gpu")
    assert all(one.startswith(f"{ROOT}/src:/more ") for one in asked)


def test_tests_that_fail_fail_it(tmp_path: Path) -> None:
    code, said, asked = _make(tmp_path, tests=1)
    assert code != 0 and NO_CARD not in said and len(asked) == 2


def test_without_a_card_one_line_says_so_and_nothing_is_run(tmp_path: Path) -> None:
    code, said, asked = _make(tmp_path, card=1)
    assert code == 2 and said.splitlines()[0] == NO_CARD
    assert len(asked) == 1 and "pytest" not in asked[0]
