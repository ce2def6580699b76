import pytest

from kernelbenchx.evaluate.code_fences import parse_opening, split_fences


def read(text: str, *, loosely: bool) -> list[tuple[str, list[str]]]:
    return [(f.language, inside) for f, inside in split_fences(text.split("\n"), loosely=loosely)]


@pytest.mark.parametrize("line", ["```", "````py", "  ~~~ Python", "```{.python}", "``` py x=1"])
def test_a_line_opens_a_fence(line: str) -> None:
    assert parse_opening(line) is not None


@pytest.mark.parametrize("line", ["", "``", "x ```", "```py```", "~~", "``~", "'```"])
def test_a_line_opens_none(line: str) -> None:
    assert parse_opening(line) is None


def test_only_as_many_of_the_same_signs_close() -> None:
    text = "````py\na\n```\n~~~~\n```` b\n````` \nc"
    assert read(text, loosely=False) == [("py", ["a", "```", "~~~~", "```` b"])]
    assert read("```py\na", loosely=False) == [("py", ["a"])]


def test_what_stands_far_to_the_right_closes_only_loosely() -> None:
    text = "```py\na\n    ```\nb\n```"
    assert read(text, loosely=False) == [("py", ["a", "    ```", "b"])]
    assert read(text, loosely=True)[0] == ("py", ["a"])


def test_fences_behind_words_open_only_loosely() -> None:
    assert read("So: ```py\na\n```", loosely=True) == [("py", ["a"])]
    assert read("So: ```py\na", loosely=False) == []
    assert read("So: ```py a b\na", loosely=True) == []
    assert read("So: ```py a ```\na", loosely=True) == []


def test_a_tagged_fence_in_an_open_one_begins_anew_only_loosely() -> None:
    text = "```\na\n```py\nb\n```"
    assert read(text, loosely=True) == [("", ["a"]), ("py", ["b"])]
    assert read(text, loosely=False) == [("", ["a", "```py", "b"])]


def test_blocks_lose_the_columns_of_their_fence_and_no_more() -> None:
    assert read("  ```\n  a\n    b\nc\n  ```", loosely=False) == [("", ["a", "  b", "c"])]
    assert read("- ```\n  a\n    b\n  ```", loosely=True) == [("", ["a", "  b"])]
    assert read("```\n  a\n\n    b\n```", loosely=False) == [("", ["a", "", "  b"])]
    assert read("```\na\n   \n  b\n```", loosely=False) == [("", ["a", "   ", "  b"])]
