"""The documents point at things that are there and name commands that exist."""

import re
from pathlib import Path

import pytest

from kernelbenchx.cli.main import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    prose = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    targets = re.findall(r"\]\(([^)#]+)\)", prose)
    local = [target for target in targets if not target.startswith("http")]
    assert [target for target in local if not (path.parent / target).exists()] == []


def test_the_readme_lists_every_command_and_no_other() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `kbx ([a-z]+)", text, flags=re.M)
    assert listed == list(COMMANDS)


def test_files_named_for_contributors_are_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.partition("## Where to look")[2].partition("\n## ")[0]
    named = re.findall(r"`([a-z_/]+\.py)`", table)
    assert named
    package = ROOT / "src" / "kernelbenchx"
    assert [name for name in named if not (package / name).is_file()] == []
