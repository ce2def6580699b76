"""Promises that many tasks make: what they say, and who breaks them."""

from collections.abc import Callable

import torch

from kernelbenchx.spec.families.axes import layouts, optional
from kernelbenchx.spec.families.sentences import any_strides, out_is_written
from kernelbenchx.spec.mutants import Mutant


def plus(
    input: torch.Tensor, bias: torch.Tensor | None = None, out: torch.Tensor | None = None
) -> torch.Tensor:
    result = input if bias is None else input + bias
    return result if out is None else out.copy_(result)


STRIDED = torch.arange(8.0)[::2]
IN_ORDER = torch.arange(4.0)


def _answer(mutant: object) -> Callable[..., torch.Tensor]:
    assert isinstance(mutant, Mutant)
    return mutant.answer


def test_any_strides_asks_about_the_layouts_of_its_axis_alone() -> None:
    promise = any_strides(plus, layouts(), 0, "input")
    assert promise.text == "`input` may have any strides."
    assert promise.axis == "layout" and "contiguous" not in promise.options
    bias = any_strides(plus, optional("bias"), 1, "bias")
    assert bias.options == ("strided", "expanded")


def test_strides_are_ignored_of_one_argument_by_place_or_by_name() -> None:
    zeros = torch.zeros(4)
    first = _answer(any_strides(plus, layouts(), 0, "input").mutant)
    assert torch.equal(first(STRIDED), IN_ORDER)
    assert torch.equal(first(zeros, bias=STRIDED), STRIDED)
    second = _answer(any_strides(plus, optional("bias"), 1, "bias").mutant)
    assert torch.equal(second(zeros, bias=STRIDED), IN_ORDER)
    assert torch.equal(second(zeros, STRIDED), IN_ORDER)
    assert torch.equal(second(STRIDED), STRIDED)


def test_out_is_left_as_it_was_by_who_breaks_the_promise() -> None:
    out = torch.zeros(4)
    assert _answer(out_is_written(plus).mutant)(STRIDED, out=out) is not out
    assert not out.any()
    assert plus(STRIDED, out=out) is out
