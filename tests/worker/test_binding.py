"""Calls in the form that a submission's own signature takes."""

from collections.abc import Mapping
from typing import Any

import pytest
import torch

from kernelbenchx.checks.binding import bind, by_position_alone
from kernelbenchx.checks.signatures import parse_signature
from kernelbenchx.core.record import to_plain
from kernelbenchx.worker.binding import NotTaken, arrange, default_value

ADD = "input, other, alpha=1, out=None"
Written = tuple[tuple[Any, ...], dict[str, Any]]


def _plain(wanted: str, given: str, *, applied: bool = False) -> Mapping[str, Any] | None:
    own = parse_signature(f"f({given})")[1]
    found = bind(parse_signature(f"f({wanted})")[1], by_position_alone(own) if applied else own)
    return None if found is None else dict(to_plain(found))


def _written(wanted: str, given: str, *args: Any, **kwargs: Any) -> Written:
    return arrange(_plain(wanted, given), args, kwargs)


@pytest.mark.parametrize(
    ("given", "args", "kwargs", "written"),
    [
        ("input, other, *, alpha=1, out=None", (1, 2, 3), {"out": 4},
         ((1, 2), {"alpha": 3, "out": 4})),
        ("a, b, result=None", (1,), {"other": 2, "out": 4}, ((1, 2, 4), {})),
        ("other, input, out=None", (1, 2), {"out": 4}, ((2, 1, 4), {})),
        ("a, b, BLOCK=64, result=None", (1, 2), {"out": 4}, ((1, 2), {"result": 4})),
        ("a, b, /, scale=1, result=None", (1, 2), {"out": 4}, ((1, 2), {"result": 4})),
        ("a, b, scale=1, result=None, /", (1, 2), {"out": 4}, ((1, 2, 1, 4), {})),
        ("input, other, alpha, out", (1, 2), {}, ((1, 2, 1, None), {})),
        ("*rest", (1, 2), {}, ((1, 2), {})),
        ("*rest", (1, 2), {"out": 4}, ((1, 2, 1, 4), {})),
        ("a, *rest, **more", (1, 2), {"out": 4}, ((1, 2), {"out": 4})),
        ("**more", (1, 2), {"alpha": 3}, ((), {"input": 1, "other": 2, "alpha": 3})),
    ],
)  # fmt: skip
def test_every_argument_goes_where_the_signature_takes_it(
    given: str, args: tuple[Any, ...], kwargs: dict[str, Any], written: Written
) -> None:
    assert _written(ADD, given, *args, **kwargs) == written


def test_without_a_binding_a_call_stays_as_it_is() -> None:
    assert _plain(ADD, ADD) is None
    assert arrange(None, (1, 2), {"out": 3}) == ((1, 2), {"out": 3})


def test_a_default_value_may_be_left_out_and_nothing_else() -> None:
    assert _written(ADD, "a, b", 1, 2, alpha=1, out=None) == ((1, 2), {})
    assert _written(ADD, "a, b", 1, 2, alpha=1.0) == ((1, 2), {})
    for call in ({"alpha": 2}, {"alpha": True}, {"alpha": torch.tensor(1)}):
        with pytest.raises(NotTaken, match="the signature has no `alpha`"):
            _written(ADD, "a, b", 1, 2, **call)
    with pytest.raises(NotTaken, match="the signature has no `out`"):
        _written(ADD, "a, b", 1, 2, out=torch.zeros(1))


def test_sizes_are_given_one_by_one_or_as_one_sequence() -> None:
    size = "*size, dtype=None"
    assert _written(size, "*shape, **more", 2, 3, dtype=1) == ((2, 3), {"dtype": 1})
    assert _written(size, "shape, *, dtype=None", 2, 3) == (((2, 3),), {})
    assert _written(size, "shape, *, dtype=None", [2, 3]) == (([2, 3],), {})
    with pytest.raises(NotTaken, match="needs `size`"):
        _written(size, "shape, *, dtype=None")


def test_apply_is_called_by_position_alone() -> None:
    form = _plain(ADD, "x, y, alpha=1, out=None", applied=True)
    assert arrange(form, (1, 2), {"out": 4}) == ((1, 2, 1, 4), {})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("None", None),
        ("-1.5", -1.5),
        ("(0.9, 0.999)", (0.9, 0.999)),
        ("inf", float("inf")),
        ("torch.strided", torch.strided),
    ],
)
def test_a_default_is_what_its_text_says(text: str, value: Any) -> None:
    assert default_value(text) == value
