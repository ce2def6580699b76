import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.evaluate import own_test_level
from kernelbenchx.evaluate.own_test_level import require_lockable, require_locked
from kernelbenchx.runner.levels import Isolation, Level


@pytest.mark.parametrize("level", [Level.L2, Level.L3])
def test_where_nothing_can_be_read_tests_may_run(level: Level) -> None:
    require_locked(level)


def test_elsewhere_they_may_not() -> None:
    with pytest.raises(BadInput, match="isolation L2 or L3, not L1"):
        require_locked(Level.L1)


@pytest.mark.parametrize(("wanted", "asked"), [("auto", None), ("L2", "L2")])
def test_the_level_is_the_one_that_would_be_used(
    monkeypatch: pytest.MonkeyPatch, wanted: str, asked: str | None
) -> None:
    def choose(named: str | None) -> Isolation:
        assert named == asked
        return Isolation(level)

    monkeypatch.setattr(own_test_level, "choose", choose)
    level = Level.L2
    require_lockable(wanted)
    level = Level.L1
    with pytest.raises(BadInput, match="not L1"):
        require_lockable(wanted)
