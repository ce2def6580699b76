"""Scales of a call are estimated once, and those of another call are its own."""

from dataclasses import replace

import pytest
import torch
from torch import nn

from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.intermediates import Intermediates
from kernelbenchx.spec.modules import ModuleCall, build_under_seed, draw_weights


def _call(seed: int) -> ModuleCall:
    draw = Draw.from_seed(seed)
    weights = draw_weights(build_under_seed(seed, nn.Linear, (5, 3)), draw, torch.float32)
    return ModuleCall(args=(draw.normal((2, 5), torch.float32),), init=(5, 3), state=weights)


def test_a_call_is_estimated_once_and_others_for_themselves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    estimated: list[int] = []
    estimate = Intermediates._estimate_moves

    def noted(self: Intermediates, *given: object) -> tuple[torch.Tensor, ...]:
        estimated.append(1)
        return estimate(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Intermediates, "_estimate_moves", noted)
    scale, one = Intermediates(nn.Linear), _call(1).widen()
    (first,), (again,) = scale.scale(one, 2.0**-24), scale.scale(_call(1).widen(), 2.0**-24)
    assert torch.equal(first, again) and len(estimated) == 1
    moved = replace(one, state={name: 2 * value for name, value in one.state.items()})
    for other in (_call(2).widen(), moved):
        (found,) = scale.scale(other, 2.0**-24)
        assert not torch.equal(found, first)
    assert len(estimated) == 3
