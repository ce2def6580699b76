"""Warm parents: the ones that a device needs, started early only where everyone needs them."""

import pytest

from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.settings import Settings
from kernelbenchx.evaluate.parents import warm_parents
from kernelbenchx.runner.isolation import detect
from kernelbenchx.runner.zygote import Zygote


def test_the_interpreter_needs_two_and_starts_none_before_its_time() -> None:
    settings = Settings(device="interpreter", jobs=1)
    with warm_parents(settings, detect()) as zygotes:
        assert set(zygotes) == {"interpret", "compile"}
        assert all(zygote.pid is None for zygote in zygotes.values())


def test_for_a_card_and_for_compiling_ahead_they_are_started_at_once_and_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[Zygote] = []
    monkeypatch.setattr(Zygote, "start_parent", lambda zygote: started.append(zygote))
    settings = Settings(device="cuda", stage=Stage.PERF, jobs=1)
    with warm_parents(settings, detect()) as zygotes:
        assert set(zygotes) == {"cuda", "ahead"}
    assert set(started) == set(zygotes.values())
    assert all(zygote.pid is None for zygote in zygotes.values())
