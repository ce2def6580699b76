"""Which binding a name means."""

import ast

from kernelbenchx.checks.scopes import Names, defaults, every_argument, read_names

TEXT = """
import a.b as c, d.e
from m import n as o
x = 1
class K:
    x = 2
    def method(self):
        return x
def outer(p, q=3):
    y = 1
    def inner():
        nonlocal y
        global x
        y = 2
        x = 3
    box = []
    box.append(p)
    box[0] = q
    return inner
"""


def _names(text: str) -> Names:
    return read_names(ast.parse(text), set())


def test_imports_bind_full_names() -> None:
    module = _names(TEXT).module
    bound = {name: [b.imported for b in module.bindings[name]] for name in ("c", "d", "o")}
    assert bound == {"c": ["a.b"], "d": ["d"], "o": ["m.n"]}


def test_a_method_does_not_see_the_names_of_its_class() -> None:
    names = _names(TEXT)
    method = next(s for s in names.scopes.values() if getattr(s.owner, "name", "") == "method")
    assert method.home("x") is names.module
    assert method.parent is not None
    assert method.parent.home("x") is method.parent


def test_global_and_nonlocal_bind_outside() -> None:
    names = _names(TEXT)
    inner = next(s for s in names.scopes.values() if getattr(s.owner, "name", "") == "inner")
    outer = inner.parent
    assert outer is not None
    assert inner.bindings == {}
    assert len(names.module.bindings["x"]) == 2
    assert len(outer.bindings["y"]) == 2


def test_what_is_put_into_a_container_is_bound_to_it() -> None:
    names = _names(TEXT)
    outer = next(s for s in names.scopes.values() if getattr(s.owner, "name", "") == "outer")
    assert [binding.held for binding in outer.bindings["box"]] == [False, True, True]


def test_dead_statements_bind_nothing() -> None:
    tree = ast.parse("x = 1\ny = 2\n")
    names = read_names(tree, {id(tree.body[0])})
    assert set(names.module.bindings) == {"y"}


def test_parameters_come_in_order_with_their_defaults() -> None:
    function = ast.parse("def f(a, /, b, c=1, *d, e, g=2, **h): ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert [a.arg for a in every_argument(function.args)] == list("abcdegh")
    given = {a.arg for a, default in defaults(function.args) if default is not None}
    assert given == {"c", "g"}
