"""Warm parents: the ones that a device needs, and whether anybody needs them."""

import pytest

from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.zygotes import needs_workers, open_zygotes
from kernelbenchx.runner.isolation import detect

GELU = "activation/gelu"
GOOD = Submission(name="good", task=GELU, source=witness_source(GELU))
REFUSED = Submission(name="refused", task=GELU, source="import os\n")
INTERPRETED = Settings(device="interpreter", jobs=1)


@pytest.mark.parametrize(
    ("device", "kinds"), [("interpreter", {"interpret", "compile"}), ("cuda", {"ahead", "cuda"})]
)
def test_a_device_needs_two_and_none_is_started_before_its_time(
    device: str, kinds: set[str]
) -> None:
    settings = Settings(device=device, stage=Stage.EXE, jobs=1)
    with open_zygotes(settings, detect()) as zygotes:
        assert set(zygotes) == kinds
        assert all(zygote.pid is None for zygote in zygotes.values())


def test_they_are_ended_while_they_get_warm() -> None:
    with open_zygotes(INTERPRETED, detect()) as zygotes:
        zygotes["interpret"].start_parent()
        starting, other = (zygotes[kind]._parent for kind in ("interpret", "compile"))
        assert starting is not None and starting.alive
        assert other is None
    assert not starting.alive


@pytest.mark.parametrize(
    ("settings", "submissions", "runs"),
    [
        (INTERPRETED, [REFUSED, GOOD], True),
        (INTERPRETED, [REFUSED], False),
        (INTERPRETED, [], False),
        (Settings(device="interpreter", jobs=1, checks=False), [REFUSED], True),
        (Settings(device="interpreter", jobs=1, stage=Stage.CHECK), [GOOD], False),
    ],
)
def test_nobody_needs_them_for_what_the_source_checks_refuse(
    settings: Settings, submissions: list[Submission], runs: bool
) -> None:
    assert needs_workers(settings, submissions) is runs
