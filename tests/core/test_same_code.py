import pytest

from kernelbenchx.core.same_code import code_digest, same_code

CODE = "def f(a, b):\n    if a:\n        b = 'x'\n    return b\n"


@pytest.mark.parametrize(
    "other",
    [
        CODE,
        CODE.replace("if a:", "if a:  # why"),
        "# a title\n\n" + CODE.replace("\n", "\r\n"),
        CODE.replace("'x'", '"x"').replace("(a, b)", "(\n    a,\n    b,\n)"),
        CODE.replace("return b", "return (b)"),
        "\ufeff" + CODE,
    ],
)
def test_layout_and_comments_do_not_count(other: str) -> None:
    assert same_code(CODE, other) and code_digest(CODE) == code_digest(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a = 1; b = 2\n", "a = 1\nb = 2\n"),
        ("n = 1_024\n", "n = 1024\n"),
        ("n = 0x400\n", "n = 1024\n"),
        ("x = 1e3\n", "x = 1000.0\n"),
        ("s = r'ab'\n", "s = 'ab'\n"),
        ("s = 'a\\x62'\n", "s = 'ab'\n"),
        ("if a:\n    b\nelse:\n    if c:\n        d\n", "if a:\n    b\nelif c:\n    d\n"),
    ],
)
def test_neither_do_two_ways_to_write_the_same(one: str, other: str) -> None:
    assert same_code(one, other) and code_digest(one) == code_digest(other)


@pytest.mark.parametrize(
    "other",
    [
        CODE.replace("'x'", "'y'"),
        CODE.replace("        b =", "        pass\n    b ="),
        CODE.replace("    return b", "        return b"),  # the same signs, elsewhere
        CODE.replace("return b", "return b,"),
        CODE.replace("'x'", "'# x'"),
        CODE.replace("'x'", "r'\\x78'"),
        "",
    ],
)
def test_everything_else_does(other: str) -> None:
    assert not same_code(CODE, other) and code_digest(CODE) != code_digest(other)


def test_what_is_not_python_is_compared_as_text() -> None:
    assert same_code("no (", "no (") and not same_code("no (", "no  (")
    assert not same_code("((((" * 9999, "((((" * 9998)
