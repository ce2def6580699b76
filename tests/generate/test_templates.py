"""Text files of prompts."""

import hashlib
import re

import pytest

from kernelbenchx.generate import templates
from kernelbenchx.generate.templates import FOLDER, digest, fill, names, template


@pytest.fixture
def greeting(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"greeting": "Hello\n$who\n${what}\nand $who.\n"}
    monkeypatch.setattr(templates, "template", texts.__getitem__)


def test_words_are_put_in(greeting: None) -> None:
    assert fill("greeting", who="you", what="there") == "Hello\nyou\nthere\nand you.\n"


def test_an_empty_word_takes_its_line_with_it(greeting: None) -> None:
    assert fill("greeting", who="you", what="") == "Hello\nyou\nand you.\n"
    assert fill("greeting", who="", what="x") == "Hello\nx\nand .\n"


def test_a_word_too_few_is_an_error_and_one_too_many_is_not(greeting: None) -> None:
    with pytest.raises(KeyError, match="what"):
        fill("greeting", who="you")
    assert fill("greeting", who="you", what="x", more="y")


def test_what_a_model_said_is_not_read_as_a_template(greeting: None) -> None:
    said = "$what ${who} $$ \\1 \\g<0> {x} %s"
    assert fill("greeting", who=said, what="x") == f"Hello\n{said}\nx\nand {said}.\n"


def test_a_version_is_the_digest_of_the_text() -> None:
    for name in names():
        text = (FOLDER / f"{name}.txt").read_bytes()
        assert digest(name) == hashlib.sha256(text).hexdigest()


@pytest.mark.parametrize("name", names())
def test_a_template_is_tidy_text(name: str) -> None:
    text = template(name)
    assert text.strip()
    assert text.endswith("\n") and not text.startswith("\n")
    assert [line for line in text.splitlines() if line != line.rstrip()] == []
    dollars = re.findall(r"\$(?!\$|[a-z_0-9]+\b|\{[a-z_0-9]+\})", text)
    assert dollars == [], "a dollar sign that names no word"
    assert not re.search(r"kernelbench|\bwitness|\bmutant|reference output", text, re.I)
