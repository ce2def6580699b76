from kernelbenchx.generate.retrieval import rank_texts, words

TEXTS = [
    "Softmax over the last dimension: subtract the maximum of each row.",
    "Matrix product of two matrices in tiles, accumulated in float32.",
    "Adds two vectors element by element.",
]


def test_what_shares_rare_words_comes_first() -> None:
    assert rank_texts("the maximum of a row", TEXTS)[0] == 0
    assert rank_texts("product in tiles", TEXTS)[0] == 1
    assert rank_texts("vectors", TEXTS)[0] == 2


def test_a_word_that_all_share_decides_nothing() -> None:
    assert rank_texts("of", ["of a", "of b", "of of of c"])[0] == 2
    assert rank_texts("elsewhere", TEXTS) == [0, 1, 2]
    assert rank_texts("", TEXTS) == [0, 1, 2]


def test_a_long_text_pays_for_its_length() -> None:
    assert rank_texts("tile", ["tile " + "other " * 500, "tile other"])[0] == 1


def test_names_are_taken_apart() -> None:
    assert words("tl.maximum_of") == ["tl", "maximum", "of"]
    assert words("LayerNorm2d(X)") == ["layer", "norm", "2", "d", "x"]


def test_there_may_be_nothing_to_choose_from() -> None:
    assert rank_texts("anything", []) == []
    assert rank_texts("anything", ["", ""]) == [0, 1]
