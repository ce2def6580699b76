import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.evaluate import own_test_isolation
from kernelbenchx.evaluate.own_test_isolation import require_confinable, require_confined
from kernelbenchx.runner.levels import Level, WorkerIsolation


@pytest.mark.parametrize("level", [Level.L2, Level.L3])
def test_where_nothing_can_be_read_tests_may_run(level: Level) -> None:
    require_confined(level)


def test_elsewhere_they_may_not() -> None:
    with pytest.raises(BadInput, match="isolation L2 or L3, not L1"):
        require_confined(Level.L1)


@pytest.mark.parametrize(("wanted", "asked"), [("auto", None), ("L2", "L2")])
def test_the_level_is_the_one_that_would_be_used(
    monkeypatch: pytest.MonkeyPatch, wanted: str, asked: str | None
) -> None:
    def choose(named: str | None) -> WorkerIsolation:
        assert named == asked
        return WorkerIsolation(level)

    monkeypatch.setattr(own_test_isolation, "choose", choose)
    level = Level.L2
    require_confinable(wanted)
    level = Level.L1
    with pytest.raises(BadInput, match="not L1"):
        require_confinable(wanted)
