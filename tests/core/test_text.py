from kernelbenchx.core.text import whole


def test_what_can_be_encoded_stays_the_very_same() -> None:
    for text in ("", "x = 1\n", "größe ∑ 😀", "\x00\x1b"):
        assert whole(text) is text


def test_halves_of_pairs_are_replaced() -> None:
    assert whole("a\ud800b\udfff😀") == "a?b?😀"
