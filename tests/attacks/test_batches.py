"""Attacks are tried in batches; those that a level does not stop, alone."""

from dataclasses import replace

from kernelbenchx.attacks.attack import Attack, Control
from kernelbenchx.attacks.batches import BATCH, batches, tried_controls
from kernelbenchx.core.settings import Settings

ATTACK = Attack(
    name="c2_zeros",
    source="",
    what="Answers zeros.",
    ident="C2",
    task="relu",
    checks=frozenset({"rejected"}),
    no_checks=frozenset({"wrong"}),
    level="L2",
)
CONTROL = Control(name="honest", source="", what="Is honest.", task="relu")


def test_so_many_are_tried_before_the_next_canaries() -> None:
    sizes = [len(one) for one in batches([ATTACK] * (BATCH + 1), "interpreter", "L2")]
    assert sizes == [BATCH, 1]


def test_what_the_level_does_not_stop_is_alone() -> None:
    above = replace(ATTACK, level="L3")
    found = [one for one in batches([ATTACK, above, ATTACK], "interpreter", "L2") if one]
    assert found == [[ATTACK], [above], [ATTACK]]
    assert list(batches([ATTACK, above], "interpreter", "L3")) == [[ATTACK, above]]


def test_other_devices_and_refused_controls_are_left_out() -> None:
    on_gpu = replace(ATTACK, device="cuda")
    assert [one for one in batches([on_gpu], "interpreter", "L3") if one] == []
    unchecked, elsewhere = replace(CONTROL, unchecked=True), replace(CONTROL, device="cuda")
    wanted = [CONTROL, unchecked, elsewhere]
    assert tried_controls(wanted, Settings(device="interpreter")) == [CONTROL]
    open_door = Settings(device="interpreter", checks=False)
    assert tried_controls(wanted, open_door) == [CONTROL, unchecked]
