from dataclasses import replace

import pytest

from kernelbenchx.attacks.attack import attacks, controls
from kernelbenchx.attacks.suite_run import against
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.outcome import Stage


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.usefixtures("warm_workers")
def test_an_attack_that_is_expected_to_get_less_than_it_gets_is_through() -> None:
    (fig_leaf,) = (one for one in attacks() if one.name == "n5_fig_leaf")
    (honest,) = (one for one in controls() if one.name == "elementwise")
    mislabelled = replace(fig_leaf, name="mislabelled", no_checks=frozenset({"wrong"}))
    told: list[str] = []
    report = against(
        attacks=[fig_leaf, mislabelled],
        controls=[honest],
        checks=False,
        device="interpreter",
        tell=lambda result: told.append(result.name),
    )
    assert [one.name for one in report.stopped] == ["n5_fig_leaf"]
    assert [one.name for one in report.through] == ["mislabelled"]
    assert [one.ok for one in report.controls] == [True]
    assert told == ["n5_fig_leaf", "mislabelled", "elementwise"]
    assert not report.held


def test_times_are_not_attacked_without_a_card() -> None:
    with pytest.raises(BadInput, match="needs a CUDA GPU"):
        against(attacks=[], controls=[], device="interpreter", stage=Stage.PERF)
