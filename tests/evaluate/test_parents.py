"""Warm parents: the ones that a device needs, started early only where everyone needs them."""

from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.settings import Settings
from kernelbenchx.evaluate.parents import warm_parents
from kernelbenchx.runner.isolation import detect


def test_the_interpreter_needs_two_and_starts_none_before_its_time() -> None:
    settings = Settings(device="interpreter", jobs=1)
    with warm_parents(settings, detect()) as zygotes:
        assert set(zygotes) == {"interpret", "compile"}
        assert all(zygote.pid is None for zygote in zygotes.values())


def test_for_a_card_one_is_started_at_once_and_ended() -> None:
    settings = Settings(device="cuda", stage=Stage.PERF, jobs=1)
    with warm_parents(settings, detect()) as zygotes:
        assert set(zygotes) == {"cuda"}
    assert zygotes["cuda"].pid is None
