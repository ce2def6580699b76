from kernelbenchx.generate.retrieval import ranked, words

TEXTS = [
    "Softmax over the last dimension: subtract the maximum of each row.",
    "Matrix product of two matrices in tiles, accumulated in float32.",
    "Adds two vectors element by element.",
]


def test_what_shares_rare_words_comes_first() -> None:
    assert ranked("the maximum of a row", TEXTS)[0] == 0
    assert ranked("product in tiles", TEXTS)[0] == 1
    assert ranked("vectors", TEXTS)[0] == 2


def test_a_word_that_all_share_decides_nothing() -> None:
    assert ranked("of", ["of a", "of b", "of of of c"])[0] == 2
    assert ranked("elsewhere", TEXTS) == [0, 1, 2]
    assert ranked("", TEXTS) == [0, 1, 2]


def test_a_long_text_pays_for_its_length() -> None:
    assert ranked("tile", ["tile " + "other " * 500, "tile other"])[0] == 1


def test_names_are_taken_apart() -> None:
    assert words("tl.maximum_of") == ["tl", "maximum", "of"]
    assert words("LayerNorm2d(X)") == ["layer", "norm", "2", "d", "x"]


def test_there_may_be_nothing_to_choose_from() -> None:
    assert ranked("anything", []) == []
    assert ranked("anything", ["", ""]) == [0, 1]
