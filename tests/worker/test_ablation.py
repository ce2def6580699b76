from typing import Any

import torch

from kernelbenchx.worker.ablation import Ablation
from kernelbenchx.worker.data_flow import SMALL_BYTES
from kernelbenchx.worker.order import Arguments

LARGE = SMALL_BYTES


def ablation(storages: dict[int, torch.Tensor], **call: Any) -> Ablation:
    return Ablation(call, Arguments((), {}, (), {}, storages))


def test_launches_are_left_out_unless_only_large_tensors_are_spoilt() -> None:
    for call, skips, poisons in (
        ({}, False, False),
        ({"ablate": True}, True, False),
        ({"ablate": True, "poison": "all"}, True, True),
        ({"ablate": True, "poison": "large"}, False, True),
        ({"poison": "all"}, False, False),
    ):
        one = ablation({}, **call)
        assert (one.skips, one.poisons) == (skips, poisons)


def test_what_a_launch_could_write_is_poisoned_and_inputs_stay() -> None:
    x, out, y = torch.zeros(LARGE), torch.zeros(LARGE), torch.zeros(LARGE)
    flag = torch.zeros(1, dtype=torch.int32)
    one = ablation({0: x, 1: out}, ablate=True, poison="all", written=[1])
    one.spoil([x, out, y, flag])
    assert (x == 0).all() and out.isnan().all() and y.isnan().all() and flag.item() == 1


def test_small_tensors_are_spared_by_the_size_of_their_memory() -> None:
    y, flag = torch.zeros(LARGE), torch.zeros(1)
    one = ablation({}, ablate=True, poison="large")
    one.spoil([y[:1], flag])
    assert y[0].isnan() and not y[1:].isnan().any() and flag.item() == 0
