"""Which binding a name means, and what lies below a node."""

import ast
from pathlib import Path

import pytest

from kernelbenchx.checks.names import read_names
from kernelbenchx.checks.scopes import (
    NameScope,
    below,
    defaults,
    every_argument,
    list_imported,
    root_of,
)

TEXT = """
x = 1
class K:
    x = 2
    def method(self):
        return x
"""


def _scope(text: str, name: str) -> NameScope:
    scopes = read_names(ast.parse(text)).scopes.values()
    return next(scope for scope in scopes if getattr(scope.owner, "name", "") == name)


def test_a_method_does_not_see_the_names_of_its_class() -> None:
    method = _scope(TEXT, "method")
    assert method.home("x") is method.root()
    assert method.parent is not None
    assert method.parent.home("x") is method.parent


def test_a_class_may_lack_a_name_that_the_module_has() -> None:
    klass = _scope(TEXT, "K")
    assert list(klass.homes("x")) == [klass, klass.root()]


@pytest.mark.parametrize(
    ("text", "builtin"),
    [
        ("def f(eval):\n    pass\n", False),
        ("def f():\n    for eval in (): pass\n", False),
        ("def f():\n    pass\n", True),
        ("if 0:\n    eval = 1\ndef f():\n    pass\n", True),
        ("eval = 1\ndel eval\ndef f():\n    pass\n", True),
        ("class C:\n    def f(self):\n        pass\n    eval = 1\n", True),
        ("def f():\n    [0 for eval in ()]\n", True),
    ],
)
def test_only_a_function_hides_a_builtin_for_sure(text: str, builtin: bool) -> None:
    assert _scope(text, "f").is_builtin("eval") is builtin


def test_a_name_declared_global_is_not_that_of_the_function_around() -> None:
    text = (
        "t = 1\ndef a():\n    t = 2\n    def b():\n        global t\n        def c():\n"
        "            return t\n"
    )
    inner = _scope(text, "c")
    assert inner.home("t") is inner.root()
    same = _scope(text.replace("        global t\n", ""), "c")
    assert getattr(same.home("t"), "owner", None) is not same.root().owner


def test_parameters_come_in_order_with_their_defaults() -> None:
    function = ast.parse("def f(a, /, b, c=1, *d, e, g=2, **h): ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert [a.arg for a in every_argument(function.args)] == list("abcdegh")
    given = {a.arg for a, default in defaults(function.args) if default is not None}
    assert given == {"c", "g"}


def test_imports_bind_full_names() -> None:
    one, other = ast.parse("import a.b as c, d.e\nfrom m import n as o\n").body
    assert isinstance(one, ast.Import)
    assert isinstance(other, ast.ImportFrom)
    assert list_imported(one) == [("c", "a.b"), ("d", "d")]
    assert list_imported(other) == [("o", "m.n")]


def test_below_a_node_is_what_python_says_less_words() -> None:
    words = ast.expr_context | ast.operator | ast.unaryop | ast.boolop | ast.cmpop | ast.alias
    text = Path(__file__).read_text(encoding="utf-8")
    tree = ast.parse(text + "match 1:\n    case [1, *a] | {'b': c, **d}: -1 < 2\n")
    expected = [node for node in ast.walk(tree) if not isinstance(node, words)]
    assert list(map(id, below(tree))) == list(map(id, expected))


def test_the_root_of_a_target_is_its_name() -> None:
    found = root_of(ast.parse("a.b[0].c", mode="eval").body)
    assert found is not None
    assert found.id == "a"
    assert root_of(ast.parse("a().b", mode="eval").body) is None
