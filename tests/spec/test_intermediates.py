"""Scales of a call are estimated once, and those of another call are its own."""

from dataclasses import replace

import pytest
import torch
from torch import nn

from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.intermediates import Intermediates
from kernelbenchx.spec.modules import ModuleCall, built_under, drawn_weights


def _call(seed: int) -> ModuleCall:
    draw = Draw.seeded(seed)
    weights = drawn_weights(built_under(seed, nn.Linear, (5, 3)), draw, torch.float32)
    return ModuleCall(args=(draw.normal((2, 5), torch.float32),), init=(5, 3), state=weights)


def test_a_call_is_estimated_once_and_others_for_themselves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    estimated: list[int] = []
    estimate = Intermediates._estimated

    def noted(self: Intermediates, *given: object) -> tuple[torch.Tensor, ...]:
        estimated.append(1)
        return estimate(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Intermediates, "_estimated", noted)
    scale, one = Intermediates(nn.Linear), _call(1).widened()
    (first,), (again,) = scale.scale(one, 2.0**-24), scale.scale(_call(1).widened(), 2.0**-24)
    assert torch.equal(first, again) and len(estimated) == 1
    moved = replace(one, state={name: 2 * value for name, value in one.state.items()})
    for other in (_call(2).widened(), moved):
        (found,) = scale.scale(other, 2.0**-24)
        assert not torch.equal(found, first)
    assert len(estimated) == 3
