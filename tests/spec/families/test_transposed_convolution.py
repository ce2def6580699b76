"""Transposed convolutions: what the family accepts and rejects, and their geometry."""

import itertools
from typing import Any

import pytest
import torch

from kernelbenchx.spec import Mutant, case
from kernelbenchx.spec.families.transposed_convolution import spread_size, transposed_convolution
from rejections import is_caught, living, refused_truths, scopes_of


def spread(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    b = None if bias is None else bias.to(wide)
    found = torch.nn.functional.conv_transpose2d(
        input.to(wide), weight.to(wide), b, stride, padding, output_padding, groups, dilation
    )
    return found.to(input.dtype)


TASK = transposed_convolution(
    spread,
    timings=case(image=(1, 2, 4, 4), kernel=(3, 3, 3), dtype=torch.float32),
    difficulty=1,
)


def test_right_answers_pass_and_every_wrong_one_of_the_family_is_seen() -> None:
    assert refused_truths(TASK, 0) == []
    assert living(TASK) == []
    wrong = [one for one in TASK.mutants if isinstance(one, Mutant)]
    assert [one.name for one in wrong if not is_caught(TASK, one.answer)] == []


def test_tf32_operands_pass_and_narrower_ones_do_not() -> None:
    def operands(cut: Any) -> Any:
        return lambda x, w, *rest, **how: spread(cut(x), cut(w), *rest, **how)

    def tf32(x: torch.Tensor) -> torch.Tensor:
        if x.dtype != torch.float32:
            return x
        return (x.contiguous().view(torch.int32) & ~0x1FFF).view(torch.float32)

    assert not is_caught(TASK, operands(tf32))
    assert is_caught(TASK, operands(lambda x: x.bfloat16().to(x.dtype)))


GEOMETRIES = list(itertools.product((1, 2, (3, 1)), (0, 1, (0, 2)), (0, (1, 0)), (2, (3, 2))))


@pytest.mark.parametrize("sizes", GEOMETRIES)
def test_the_output_is_as_large_as_torch_makes_it(sizes: Any) -> None:
    how = dict(zip(("stride", "padding", "output_padding", "dilation"), sizes, strict=True))
    made = spread(torch.zeros(1, 1, 5, 7), torch.zeros(1, 1, 3, 4), **how)
    assert tuple(spread_size((5, 7), (3, 4), **how)) == made.shape[2:]


def test_the_cost_counts_every_product_where_nothing_is_cut_off() -> None:
    image, kernel = (2, 4, 5, 7), (3, 3, 2)
    found = TASK.cost(image=image, kernel=kernel, dtype=torch.float32, groups=2)
    assert found.flops == 2 * (2 * 4 * 5 * 7) * 3 * 3 * 2
    less = TASK.cost(image=image, kernel=kernel, dtype=torch.float32, groups=2, padding=1)
    assert less.flops < found.flops and less.bytes < found.bytes


def test_axes_ask_about_the_scopes_that_they_are_for() -> None:
    asked = scopes_of(TASK)
    assert asked["output_padding", "largest"] == asked["groups", "depthwise"] == set()
    assert asked["image", "none"] == {"degenerate"}
    assert asked["image", "many channels"] == {"scale"}
