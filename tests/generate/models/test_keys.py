"""Keys hide themselves."""

import base64
import time
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
        assert key.scrub(f"<{one}>{one}") == "<[key]>[key]"


def test_no_part_of_a_reply_keeps_it() -> None:
    parts = ("text", "reasoning", "model", "version", "detail")
    said = msgspec.structs.replace(reply("x"), **dict.fromkeys(parts, f"a {SECRET}"))
    hidden = Key(SECRET, "A_KEY").scrub_reply(said)
    assert [getattr(hidden, name) for name in parts] == ["a [key]"] * len(parts)
    assert Key("", "A_KEY").scrub_reply(said) == said


LONG = "sk-SECRETkey0123456789abcdef"


def test_no_part_of_eight_characters_is_left() -> None:
    key = Key(LONG, "A_KEY")
    assert key.scrub(f"Invalid key provided: {LONG[:15]}****") == (
        "Invalid key provided: [key]****"
    )
    for size in range(8, len(LONG) + 1):
        for begin in range(len(LONG) - size + 1):
            for before in range(4):  # wherever it stands in the text
                part = LONG[begin : begin + size]
                assert key.scrub("<" * before + part + ">") == "<" * before + "[key]>"
    assert key.scrub(f"{LONG[:9]}{LONG[3:14]} {LONG[-9:]}") == "[key] [key]"
    for part in (LONG[:7], LONG[9:16], LONG[-7:]):
        assert key.scrub(f"<{part}>") == f"<{part}>"


@pytest.mark.parametrize("after", ["", ":", "; more of it"])
@pytest.mark.parametrize("before", ["", "x", "Bearer ", "key: "])
def test_base_64_hides_it_nowhere(before: str, after: str) -> None:
    key = Key(LONG, "A_KEY")
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        said = key.scrub(encode(f"{before}{LONG}{after}".encode()).decode())
        assert said.count("[key]") == 1
        left, _, right = said.partition("[key]")
        # The characters on the border belong to both sides.
        assert len(left) <= -(-len(before) * 4 // 3) + 1
        assert len(right) <= -(-len(after) * 4 // 3) + 4


def test_a_key_of_one_character_is_hidden_whole_and_leaves_ordinary_text() -> None:
    key = Key("0" * 12, "A_KEY")
    assert key.scrub("a " + "0" * 12) == "a [key]"
    assert key.scrub("1e-9 is 0.0000000010") == "1e-9 is 0.0000000010"


def test_long_texts_take_no_longer_than_they_are_long() -> None:
    key = Key(LONG, "A_KEY")
    began = time.process_time()
    for hard in (LONG[:7], LONG[:8]):
        assert LONG[:8] not in key.scrub(hard * 30_000)
    assert time.process_time() - began < 5.0


def test_other_text_stays() -> None:
    text = "sk-a/b is not the whole of it"
    assert Key(SECRET, "A_KEY").scrub(text) == text


@pytest.mark.parametrize("word", ["", "x", "none", "EMPTY"])
def test_a_placeholder_is_no_secret(word: str) -> None:
    key = Key(word, "A_KEY")
    assert key.scrub("if x is none: return EMPTY") == "if x is none: return EMPTY"
    assert bool(key) == bool(word)


@pytest.mark.parametrize("word", ["password", "placeholder", "sk-no-key-required", "not-needed"])
def test_a_key_of_words_leaves_words_alone(word: str) -> None:
    text = "the password is required=True, a placeholder, not needed: required"
    assert Key(word, "A_KEY").scrub(text) == text


def test_long_words_are_hidden_whole() -> None:
    key = Key("correct-horse-battery", "A_KEY")
    assert key.scrub("a correct-horse-battery, a battery") == "a [key], a battery"


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
