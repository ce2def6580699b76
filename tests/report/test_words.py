"""The words of the report are plain: none of the list that documents must not use."""

import re
from pathlib import Path

import pytest

from kernelbenchx.report.build import APP
from script_files import script

WORDS = script("check_words")
SOURCES = APP.parent / "source"
READERS = ("keys.ts", "evaluation.ts")
"""They read records, whose fields have other names."""
_COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.S)
_STRING = re.compile(r"\"[^\"\n]*\"|`[^`]*`|>[^<>{}]+<")


def findings(text: str) -> list[str]:
    """What the strings and the text between tags of a source of the app say."""
    bare = _COMMENT.sub("", text)
    units = [WORDS.Unit(0, found[1:-1]) for found in _STRING.findall(bare)]
    return [one for unit in units for one in (*WORDS.dialect(unit), *WORDS.long_sentences(unit))]


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(SOURCES.rglob("*.ts*")) if path.name not in READERS],
    ids=lambda path: path.name,
)
def test_the_app_speaks_plainly(path: Path) -> None:
    assert findings(path.read_text()) == []


def test_dialect_in_a_source_of_the_app_is_found() -> None:
    assert findings('const title = "limits of the card";') != []
    assert findings("<p>Nobody is timed here.</p>") != []
    assert findings("/** A card in a comment. */ const x = 1;") == []
