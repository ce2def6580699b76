"""Drawing, truth and judgement work where every tensor lies on a card: tried on a pretended one."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.core.error_map import MOST_CELLS
from kernelbenchx.core.outcome import Wrong
from kernelbenchx.judge.correctness import CaseTruth, Passed, judge_case, truth_of
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.outputs import CallResult
from kernelbenchx.spec.task import Task
from pretend_card import PretendCard, pretended
from tiers import mark_slow

MOST_WAITS = 64
"""How often a judgement may make the host wait for the card, about 20 us each."""
MOST_TAKEN = 256
"""Elements that may be taken from the card at once: counts, never a whole tensor."""
MOST_MAPPED = MOST_CELLS**2
"""And for the picture of a wrong answer."""


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> Iterator[PretendCard]:
    with pretended(monkeypatch) as switched_on:
        yield switched_on


def _returned(task: Task, call: Call, truth: CaseTruth, number: int) -> CallResult:
    """A right answer as a worker would have sent it: the truth, rounded once."""
    arguments = call.repeat(number).copy().concrete("cuda")
    outputs = task.outputs(task.reference, arguments)
    values = [leaf.value for leaf in outputs.leaves]
    for place, true in enumerate(truth.exact):
        # Elements of an expanded input share memory, and so may those of torch's answer.
        if 0 in values[place].stride():
            values[place] = true.to(values[place].dtype)
        else:
            values[place].copy_(true)
    kinds = [leaf.kind for leaf in outputs.leaves]
    given = tuple(
        None if kind == "none" else value
        for kind, value in zip(kinds[: outputs.returned], values, strict=False)
    )
    return CallResult(given[0] if len(given) == 1 else given, arguments, outputs.aliases)


def _spoiled(one: CallResult) -> CallResult:
    wrong = one.result if isinstance(one.result, torch.Tensor) else one.result[0]
    if 0 in wrong.stride():  # written in place it would need memory of its own
        return replace(one, result=torch.full_like(wrong, 3, memory_format=torch.contiguous_format))
    wrong.copy_(torch.full_like(wrong, 3))
    return one


@pytest.mark.parametrize("name", mark_slow(catalog.function_names(), fast=5))
def test_a_case_is_drawn_and_judged_on_the_card(name: str, card: PretendCard) -> None:
    task = catalog.load(name)
    accused = 0
    for case in task.cases(0):
        call = task.draw(case, 7, "cuda")
        assert all(card.has(tensor) for tensor in call.tensors()), case.name
        truth = truth_of(task, call, "cuda")
        tensors = (leaf.value for leaf in truth.native.leaves if leaf.kind == "tensor")
        assert all(map(card.has, tensors)), case.name
        returned = [_returned(task, call, truth, number) for number in range(task.calls(case))]
        card.waits = 0
        verdict = judge_case(task, case, call, returned, "cuda", truth)
        # A reference is never random, so its answer to a random task may well be wrong.
        assert isinstance(verdict, Passed) or task.randomness != "none", (case.name, verdict)
        assert card.waits <= MOST_WAITS, case.name
        if isinstance(verdict, Passed):
            assert card.largest_to_host <= MOST_TAKEN, case.name
        spoiled = [_spoiled(one) for one in returned]
        accused += isinstance(judge_case(task, case, call, spoiled, "cuda", truth), Wrong)
        assert card.largest_to_host <= MOST_MAPPED, case.name
        card.largest_to_host = 0
    assert accused > 0


def test_the_pretended_card_refuses_what_torch_refuses(card: PretendCard) -> None:
    there, here = torch.ones(3, device="cuda"), torch.ones(3)
    with pytest.raises(RuntimeError, match="different devices"):
        there + here
    with pytest.raises(RuntimeError, match="different devices"):
        torch.empty(0).set_(there.untyped_storage())
    with pytest.raises(RuntimeError, match="numpy"):
        there.numpy()
    with pytest.raises(RuntimeError, match="generator"):
        torch.rand(3, device="cuda", generator=torch.Generator())
    with pytest.raises(RuntimeError, match="loop"):
        list(torch.ones(100, device="cuda"))


def test_the_pretended_card_allows_what_torch_allows(card: PretendCard) -> None:
    there = torch.ones(3, device="cuda")
    assert there.device.type == "cuda"
    assert (there + torch.ones(())).is_cuda
    assert there.view(3, 1).device == there.device
    assert not there.to("cpu").is_cuda
    assert torch.ones(3).to("cuda").is_cuda
    assert card.largest_to_host == 3
