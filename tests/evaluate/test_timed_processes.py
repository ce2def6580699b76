"""What a child that is timed is told, and that it is gone afterwards."""

from types import SimpleNamespace
from typing import Any

import pytest

from kernelbenchx.core.argument_binding import AS_IT_IS, EntryBinding
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.timed_processes import entry_plan, open_timed_process, replay_plan
from kernelbenchx.runner.pending_child import PendingChild
from timing_stage import COMPILED, Children

ATTEMPT: Any = SimpleNamespace(
    submission=Submission(name="mine", task="activation/relu", source="SOURCE"),
    source="SOURCE",
    entries=("relu",),
    facts=SimpleNamespace(form="function"),
    compiled=COMPILED,
    binding=EntryBinding(line=7),
)


def _workers(children: Children) -> Any:
    return SimpleNamespace(zygotes={"cuda": children}, settings=Settings(device="cuda"))


def test_a_replay_is_told_of_no_submission_and_an_entry_of_one() -> None:
    replay, entry = replay_plan("cuda:1"), entry_plan(ATTEMPT, "cuda:1")
    assert (replay.source, replay.entries, replay.compiled) == ("", (), b"")
    assert (entry.source, entry.entries, entry.compiled) == ("SOURCE", ("relu",), COMPILED)
    assert (replay.binding, entry.binding) == (AS_IT_IS, EntryBinding(line=7))
    assert replay.device == entry.device == "cuda:1"


@pytest.mark.parametrize("few", [True, False])
def test_who_has_few_queues_is_told_so(few: bool) -> None:
    children = Children()
    plan = entry_plan(ATTEMPT, "cpu", few_queues=few)
    with open_timed_process(_workers(children), plan, []):
        pass
    assert [one.header["few_queues"] for one in children.all] == [few]
    assert not replay_plan("cpu").few_queues


@pytest.mark.parametrize(
    ("plan", "trusted"), [(entry_plan(ATTEMPT, "cpu"), False), (replay_plan("cpu"), True)]
)
def test_a_child_answers_until_it_is_left_whatever_happens(plan: Any, trusted: bool) -> None:
    children, started = Children(), list[PendingChild]()
    with (
        pytest.raises(ZeroDivisionError),
        open_timed_process(_workers(children), plan, started) as runner,
    ):
        runner.hello()
        assert runner.trusted is trusted
        raise ZeroDivisionError
    (child,) = children.all
    assert (child.asked, child.killed) == (["hello"], 1)
    assert started == [child.pending] and runner.channel.fileno() < 0
