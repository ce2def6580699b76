"""Normalized channels: their statistics, what a call costs, and mistakes that differ from it."""

from dataclasses import replace
from typing import Any

import torch

from kernelbenchx import catalog
from kernelbenchx.spec.families.channel_statistics import (
    about_rounded_mean,
    channel_cost,
    channel_rounding,
    channel_statistics,
    column,
    of_nothing,
    one_pass,
    rounded_halfway,
    with_statistics,
)
from rejections import is_caught

TASK = catalog.load("normalization/batch_norm")
X = torch.tensor([[[1.0, 2.0], [0.0, 4.0]], [[3.0, 6.0], [0.0, 4.0]]])


def _norm(input: torch.Tensor, training: bool, **words: Any) -> torch.Tensor:
    running = (torch.ones(2), torch.full((2,), 4.0))
    y: torch.Tensor = TASK.reference(input, *running, training=training, **words)
    return y


def _changed(change: Any, input: torch.Tensor, training: bool) -> torch.Tensor:
    answer = with_statistics(TASK.reference, change)
    return answer(input, torch.ones(2), torch.full((2,), 4.0), training=training)


def test_statistics_are_those_of_channels() -> None:
    mean, variance = channel_statistics(X)
    assert mean.tolist() == [3.0, 2.0]
    assert variance.tolist() == [3.5, 4.0]
    assert column(mean, X).shape == (2, 1)


def test_a_one_pass_variance_is_right_unless_the_mean_is_large() -> None:
    far = X + 1e4
    torch.testing.assert_close(_changed(one_pass, X, True), _norm(X, True))
    assert not torch.allclose(_changed(one_pass, far, True), _norm(far, True), atol=1e-3)


def test_a_rounded_mean_shows_at_16_bits_only() -> None:
    far = torch.tensor([[2048.0, 0.0], [2064.0, 1.0], [2096.0, 2.0]])
    assert torch.equal(_changed(about_rounded_mean, far, True), _norm(far, True))
    narrow = far.bfloat16()
    assert not torch.equal(_changed(about_rounded_mean, narrow, True), _norm(narrow, True))


def test_running_statistics_are_read_only_outside_training() -> None:
    assert torch.equal(_changed(of_nothing, X, True), _norm(X, True))
    assert not torch.allclose(_changed(of_nothing, X, False), _norm(X, False))


def test_rounding_halfway_shows_only_with_a_weight() -> None:
    x, weight = X.half() / 3, torch.tensor([1.1, 0.3])
    halfway = rounded_halfway(TASK.reference)
    running = (torch.ones(2), torch.full((2,), 4.0))
    assert torch.equal(halfway(x, *running), _norm(x, False))
    bias = torch.tensor([0.1, 0.7])
    words = {"weight": weight, "bias": bias}
    assert not torch.equal(halfway(x, *running, **words), _norm(x, False, **words))


def test_a_large_mean_rounded_to_16_bits_is_caught_in_every_run() -> None:
    answer = with_statistics(TASK.reference, about_rounded_mean)
    right = with_statistics(TASK.reference, lambda _, mean, var, __: (mean, var))
    for seed in range(5):
        corners = (one for one in TASK.cases(seed) if one.corner)
        wanted = ("shifted", "float16")
        shifted = tuple(
            one for one in corners if (one.options["values"], one.options["dtype"]) == wanted
        )
        only = replace(TASK, space=None, checks=shifted)
        assert shifted and is_caught(only, answer, seed) and not is_caught(only, right, seed)


def test_training_reads_and_writes_the_running_statistics() -> None:
    judged = channel_cost((4, 3, 5), torch.float16)
    trained = channel_cost((4, 3, 5), torch.float16, training=True, weight="strided")
    assert judged.bytes == 2 * 60 * 2 + 4 * 2 * 3
    assert trained.bytes == 2 * 60 * 2 + 4 * 5 * 3
    assert trained.flops > judged.flops


def test_rounding_may_move_more_where_the_mean_is_large() -> None:
    near, far = (
        channel_rounding(x, torch.ones(2), torch.ones(2), training=True)[0] for x in (X, X + 100)
    )
    assert (far > near).all()
