import ast

import pytest

from kernelbenchx.generate.search.positions import Positions


@pytest.mark.parametrize("lead", ["", "\ufeff", "é = 'ü'\r\n", "# a\r\r"])
def test_a_node_is_found_in_the_bytes(lead: str) -> None:
    text = lead + "f('ä', 64)\n"
    call = ast.parse(text.removeprefix("\ufeff")).body[-1]
    assert isinstance(call, ast.Expr) and isinstance(call.value, ast.Call)
    number = call.value.args[1]
    positions = Positions(text)
    assert positions.text(number) == "64"
    assert text.encode()[positions.start(number) : positions.end(number)] == b"64"


@pytest.mark.parametrize(
    ("call", "written"),
    [
        ("f()", "f(w=1)"),
        ("f(a)", "f(a, w=1)"),
        ("f('ü',  # ,\n  )", "f('ü', w=1,  # ,\n  )"),
        ("f((a))", "f((a), w=1)"),
    ],
)
def test_where_one_more_keyword_fits(call: str, written: str) -> None:
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    found = Positions(call).behind_arguments(node)
    assert found is not None
    at, form = found
    data = call.encode()
    assert data[:at].decode() + form.format("w").format(1) + data[at:].decode() == written
