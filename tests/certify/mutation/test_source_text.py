"""Edits are made at the places that the syntax tree names."""

import ast

from kernelbenchx.certify.mutation.source_text import SourceText

SOURCE = "x = 'ä'; y = (a <\n     b)\n"


def _compare() -> ast.Compare:
    return next(one for one in ast.walk(ast.parse(SOURCE)) if isinstance(one, ast.Compare))


def test_columns_are_counted_in_characters() -> None:
    text, node = SourceText(SOURCE), _compare()
    assert text.text(node) == "a <\n     b"
    assert text.apply(text.replace("branch", node, "True")) == "x = 'ä'; y = (True)\n"


def test_a_symbol_is_found_between_operands_and_no_other_is() -> None:
    text, node = SourceText(SOURCE), _compare()
    right = node.comparators[0]
    edit = text.replace_between("comparison", node.left, right, ("<", "<="))
    assert edit is not None
    assert text.describe(edit) == "line 1, column 17: `<` to `<=`"
    assert text.apply(edit) == SOURCE.replace("<", "<=")
    assert text.replace_between("comparison", node.left, right, (">", ">=")) is None
