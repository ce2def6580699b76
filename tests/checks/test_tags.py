"""Tags in and out of containers."""

import ast

from kernelbenchx.checks.tags import (
    MOVED,
    NOTHING,
    TENSOR,
    Dotted,
    Held,
    Launcher,
    Local,
    elements,
    has_tensor,
    holds_tensor,
    inside,
    loose,
)


def test_a_container_of_tensors_is_no_tensor() -> None:
    held = inside(TENSOR)
    assert holds_tensor(held)
    assert not has_tensor(held)
    assert has_tensor(elements(held))


def test_containers_do_not_pile_up() -> None:
    assert inside(inside(MOVED)) == inside(MOVED)
    assert loose(inside(MOVED)) == MOVED


def test_nothing_comes_out_of_what_holds_nothing() -> None:
    assert elements(frozenset({Dotted("torch")})) == NOTHING
    assert elements(frozenset({Held(Dotted("torch"))})) >= {Dotted("torch")}


def test_tags_of_functions_compare_by_the_function_and_by_kind() -> None:
    one, other = (ast.parse("lambda: 0", mode="eval").body for _ in range(2))
    assert isinstance(one, ast.Lambda)
    assert isinstance(other, ast.Lambda)
    assert Local(one) == Local(one)
    assert Local(one) != Local(other)
    assert Local(one) != Launcher(one)
    assert len({Local(one), Local(one), Launcher(one)}) == 2
