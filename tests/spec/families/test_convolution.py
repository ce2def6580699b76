"""Convolutions: what the family accepts and rejects, shown by a task made of a line."""

from typing import Any

import pytest
import torch

from kernelbenchx.spec import Mutant, case, convolution
from rejections import is_caught, living, refused_truths, scopes_of


def conv(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    b = None if bias is None else bias.to(wide)
    x, w = input.to(wide), weight.to(wide)
    found = torch.nn.functional.conv2d(x, w, b, stride, padding, dilation, groups)
    return found.to(input.dtype)


pytestmark = pytest.mark.filterwarnings("ignore:Using padding='same'")

TASK = convolution(
    conv,
    timings=case(image=(1, 3, 8, 8), kernel=(4, 3, 3), dtype=torch.float32),
    difficulty=1,
)


def test_right_answers_pass_and_every_broken_promise_is_seen() -> None:
    assert refused_truths(TASK, 0) == []
    assert living(TASK) == []


def test_every_wrong_answer_of_the_family_is_seen() -> None:
    wrong = [one for one in TASK.mutants if isinstance(one, Mutant)]
    assert len(wrong) == len(TASK.mutants)
    assert [one.name for one in wrong if not is_caught(TASK, one.answer)] == []


def test_axes_ask_about_the_scopes_that_they_are_for() -> None:
    asked = scopes_of(TASK)
    assert asked["image", "many channels"] == {"scale"}
    assert asked["image", "none"] == {"degenerate"}
    assert asked["bias", "expanded"] == asked["weight_layout", "channels last"] == {"layout"}
    assert asked["groups", "depthwise"] == asked["padding", "same"] == set()
