"""The documents point at things that are there and name commands that exist."""

import re
from pathlib import Path

from kernelbenchx.cli.main import COMMANDS

ROOT = Path(__file__).resolve().parents[1]


def test_the_readme_is_short() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) < 120


def test_the_readme_names_commands_that_are_there() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\bkbx ([a-z]+)", text))
    assert named and named <= set(COMMANDS)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = {one for line in re.findall(r"^([a-z -]+):", makefile, re.M) for one in line.split()}
    assert {"demo", "test", "docs"} <= set(re.findall(r"make ([a-z-]+)", text)) <= targets


def test_files_named_for_contributors_are_there() -> None:
    text = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    table = text.partition("## The life of one evaluation")[2]
    named = re.findall(r"`([a-z_/]+\.py)`", table)
    assert named
    package = ROOT / "src" / "kernelbenchx"
    assert [name for name in named if not (package / name).is_file()] == []
