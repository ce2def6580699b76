import ast

import pytest

from kernelbenchx.checks.source import parse
from kernelbenchx.generate.search.constants import bound, entries, numbers


def _numbers(body: str, expression: str) -> list[object]:
    source = parse(body)
    root = next(iter(source.names.scopes.values())).root()
    return [one.value for one in numbers(ast.parse(expression, mode="eval").body, root)]


@pytest.mark.parametrize(
    ("body", "expression", "found"),
    [
        ("", "64", [64]),
        ("a = 64", "a", [64]),
        ("a = 64\nb = a", "b", [64]),
        ("a = 64 if c else 32", "a", [64, 32]),
        ("a = max(min(n, 128), 16)", "a", [128, 16]),
        ("if c:\n    a = 1\nelse:\n    a = 2", "a", [1, 2]),
        ("a = 64 * n", "a", []),
        ("a = f(64)", "a", []),
        ("a = True", "a", []),
        ("for a in (1, 2): pass", "a", []),
        ("a = a", "a", []),
        ("", "unknown", []),
    ],
)
def test_numbers_that_decide_a_value(body: str, expression: str, found: list[int]) -> None:
    assert _numbers(body, expression) == found


def test_a_name_set_too_often_says_nothing() -> None:
    many = "\n".join(f"a = {number}" for number in range(5))
    assert _numbers(many, "a") == []
    root = next(iter(parse(many).names.scopes.values())).root()
    assert bound("a", root) == []


@pytest.mark.parametrize(
    ("body", "expression", "found"),
    [
        ("", "{'B': 64, 'C': n}", {"B": "64", "C": "n"}),
        ("a = dict(B=64)", "a", {"B": "64"}),
        ("a = {'B': 64}\nb = a", "b", {"B": "64"}),
        ("a = {}", "a", {}),
        ("a = {B: 64}", "a", None),
        ("a = {**c, 'B': 64}", "a", None),
        ("a = dict(c, B=64)", "a", None),
        ("a = dict(**c)", "a", None),
        ("if c:\n    a = {'B': 1}\nelse:\n    a = {'B': 2}", "a", None),
        ("a = a", "a", None),
        ("a = f()", "a", None),
        ("", "unknown", None),
    ],
)
def test_a_dictionary_that_is_written_out_is_read(
    body: str, expression: str, found: dict[str, str] | None
) -> None:
    root = next(iter(parse(body).names.scopes.values())).root()
    read = entries(ast.parse(expression, mode="eval").body, root)
    assert (None if read is None else {k: ast.unparse(v) for k, v in read.items()}) == found
