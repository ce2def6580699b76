"""Both sides describe a value and a function of a kernel's file by the same words."""

import ast
import textwrap

import pytest
import triton.language as tl

from kernelbenchx.worker.body_marks import describe_function, describe_value, number_nodes


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (3, "= 3"),
        (tl.constexpr(3), "= 3"),
        (None, "= None"),
        (tl.float32, "= fp32"),
        (tl.block_type(tl.float32, [4, 8]), "= (4, 8) of fp32"),
        ((1, tl.constexpr(2)), "= (1, 2)"),
        (object(), ""),
        ((1, object()), ""),
    ],
)
def test_values_that_a_compiler_knows_have_a_text_and_others_have_none(
    value: object, words: str
) -> None:
    assert describe_value(value) == words


def test_a_function_is_told_by_its_text_and_its_defaults() -> None:
    def scale(x: int, by: int = 2) -> int:
        return x * by

    lines = ["def scale(x, by=2):", "    return x * by"]
    known = describe_function(scale, lines)
    assert describe_function(scale, lines) == known
    assert describe_function(scale, [lines[0], "    return x + by"]) != known
    scale.__defaults__ = (3,)
    assert describe_function(scale, lines) != known


def test_equal_texts_are_numbered_alike_and_conditions_are_known() -> None:
    text = textwrap.dedent("""
        def kernel(n):
            if n > 1:
                return 2 if n > 2 else 3
    """)
    trees = [ast.parse(text).body[0] for _ in range(2)]
    for tree in trees:
        assert isinstance(tree, ast.FunctionDef)
        number_nodes(tree)
    numbers = [[vars(node)["place"] for node in ast.walk(tree)] for tree in trees]
    assert numbers[0] == numbers[1]
    assert len(set(numbers[0])) > 10
    deciding = [node for node in ast.walk(trees[0]) if vars(node).get("decides")]
    assert [ast.unparse(node) for node in deciding] == ["n > 1", "n > 2"]
