import pytest

from kernelbenchx.core.text import label, whole


def test_what_can_be_encoded_stays_the_very_same() -> None:
    for text in ("", "x = 1\n", "größe ∑ 😀", "\x00\x1b"):
        assert whole(text) is text


def test_halves_of_pairs_are_replaced() -> None:
    assert whole("a\ud800b\udfff😀") == "a?b?😀"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("r1", "r1"),
        ("\x1b[2Ja\nb\u2028c", "[2Ja b c"),
        ("x" * 130, "x" * 119 + "…"),
        ("\ud83d", ""),
        ("größe", "größe"),
    ],
)
def test_a_label_is_one_short_line(given: str, shown: str) -> None:
    assert label(given) == shown
