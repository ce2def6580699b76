"""Keys hide themselves."""

import base64
from urllib.parse import quote

import msgspec
import pytest

from desks import reply
from kernelbenchx.core.errors import BadInput
from kernelbenchx.generate.models.keys import Key, key_from

SECRET = 'sk-a/b+c="d\\e'


def test_no_spelling_of_a_key_is_left() -> None:
    key = Key(SECRET, "A_KEY")
    spelled = [
        SECRET,
        quote(SECRET, safe=""),
        base64.b64encode(SECRET.encode()).decode().rstrip("="),
        SECRET.encode().hex(),
        'sk-a/b+c=\\"d\\\\e',
    ]
    for one in spelled:
        assert key.scrubbed(f"<{one}>{one}") == "<[key]>[key]"


def test_no_part_of_a_reply_keeps_it() -> None:
    parts = ("text", "reasoning", "model", "version", "detail")
    said = msgspec.structs.replace(reply("x"), **dict.fromkeys(parts, f"a {SECRET}"))
    hidden = Key(SECRET, "A_KEY").hidden(said)
    assert [getattr(hidden, name) for name in parts] == ["a [key]"] * len(parts)
    assert Key("", "A_KEY").hidden(said) == said


def test_other_text_stays() -> None:
    text = "sk-a/b is not the whole of it"
    assert Key(SECRET, "A_KEY").scrubbed(text) == text


@pytest.mark.parametrize("word", ["", "x", "none", "EMPTY"])
def test_a_placeholder_is_no_secret(word: str) -> None:
    key = Key(word, "A_KEY")
    assert key.scrubbed("if x is none: return EMPTY") == "if x is none: return EMPTY"
    assert bool(key) == bool(word)


def test_it_is_shown_by_the_name_of_its_variable() -> None:
    key = Key(SECRET, "A_KEY")
    assert repr(key) == "Key(A_KEY)"
    assert SECRET not in f"{key} {key!r} {[key]}"
    assert key.header("Bearer ") == f"Bearer {SECRET}"


@pytest.mark.parametrize("value", ["sk-geheim\nX-Evil: 1", "schlüssel-geheim", "a\x00bcdefgh"])
def test_what_no_key_has_is_refused_without_showing_it(value: str) -> None:
    with pytest.raises(BadInput) as refused:
        Key(value, "A_KEY")
    assert str(refused.value) == "A_KEY holds characters that no key has"


def test_it_comes_from_the_environment() -> None:
    assert key_from({"A_KEY": f" {SECRET}\n"}, "A_KEY").header() == SECRET
    assert not key_from({}, "A_KEY")
