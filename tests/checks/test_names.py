"""Reading scopes: every way to bind a name, in the scope that Python binds it in."""

import ast

import pytest

from kernelbenchx.checks.names import DEEPEST, MOST_NODES, read_names
from kernelbenchx.checks.scopes import Names, Unreadable


def _names(text: str) -> Names:
    return read_names(ast.parse(text))


@pytest.mark.parametrize(
    "text",
    [
        *("a = 1", "a: int", "a += 1", "(a := 1)", "for a in x: pass", "import a", "import b as a"),
        *("from m import a", "with x as a: pass", "def a(): pass", "class a: pass", "[*a] = x"),
        *("(b, (a, c)) = x", "try: pass\nexcept E as a: pass", "match x:\n    case a: pass"),
        *(
            "match x:\n    case [*a]: pass",
            "match x:\n    case {**a}: pass",
            "[(a := i) for i in x]",
        ),
        "if x:\n    while y:\n        a = 1",
    ],
)
def test_every_way_to_bind_is_seen(text: str) -> None:
    assert "a" in _names(text).module.bindings


@pytest.mark.parametrize(
    "text",
    ["[a for a in x]", "lambda a: a", "def f(a): pass", "a.b", "class C:\n    a = 1", "{a: 1}"],
)
def test_what_binds_elsewhere_or_not_at_all_is_not(text: str) -> None:
    assert "a" not in _names(text).module.bindings


def test_global_and_nonlocal_bind_outside_whatever_comes_first() -> None:
    text = (
        "def outer():\n    def inner():\n        nonlocal y\n        global x\n        y = 2\n"
        "        x = 3\n    y = 1\nx = 1\n"
    )
    names = _names(text)
    inner = next(s for s in names.scopes.values() if getattr(s.owner, "name", "") == "inner")
    assert inner.bindings == {}
    assert inner.parent is not None
    assert len(inner.parent.bindings["y"]) == 2
    assert len(names.module.bindings["x"]) == 2


def test_what_is_put_into_a_container_is_held_by_it() -> None:
    names = _names("def f(v):\n    box.append(v)\n    box[0] = v\n    box.a = v\nbox = []\n")
    assert [binding.held for binding in names.module.bindings["box"]] == [False, True, True, True]


def test_parts_of_a_tuple_go_to_their_names() -> None:
    bindings = _names("a, b = 1, x\nc, d = y\n").module.bindings
    assert [bindings[name][0].whole for name in "abcd"] == [True, True, False, False]
    assert ast.unparse(bindings["b"][0].value or ast.Constant(0)) == "x"


def test_code_belongs_to_its_definition_or_top_level_statement() -> None:
    names = _names("@d\ndef f(x=e):\n    g\n    lambda: h\ni\n")
    units = {getattr(place.node, "id", ""): place.unit for place in names.places[ast.Name]}
    assert {name: type(unit) for name, unit in units.items()} == {
        **dict.fromkeys("degh", ast.FunctionDef),
        "i": ast.Expr,
    }


def test_what_is_too_large_or_too_deep_is_refused_with_a_line() -> None:
    with pytest.raises(Unreadable, match="nested deeper") as refused:
        _names("\nx" + ".a" * DEEPEST)
    assert refused.value.line == 2
    with pytest.raises(Unreadable, match="syntax nodes"):
        _names("x\n" * MOST_NODES)
    _names("x\n" * (MOST_NODES // 3) + "x" + ".a" * (DEEPEST - 9))
