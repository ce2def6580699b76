"""A run has one driver: a second one is refused before it starts an actor."""

from pathlib import Path

import pytest

from fake_cluster import FakeCluster, node
from kernelbenchx.cluster.ray_engine import RayEngine
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.settings import ResolvedSettings
from kernelbenchx.evaluate.session import RunSession

SETTINGS = ResolvedSettings(device="interpreter")


def test_a_second_driver_starts_no_actor(tmp_path: Path) -> None:
    first, second = FakeCluster([node("one")]), FakeCluster([node("two")])
    one, two = RayEngine(first), RayEngine(second)
    with RunSession(SETTINGS, tmp_path, one) as session:
        assert session.remote is not None and session.concurrency == 1
        with pytest.raises(BadInput, match="is being written by another process"):
            with RunSession(SETTINGS, tmp_path, two) as other:
                _ = other.remote
    assert len(first.made["one"]) == 1 and second.made == {}
    with RunSession(SETTINGS, tmp_path, two) as session:
        assert session.remote is not None, "the first has ended"
    assert second.made
    one.close()
    two.close()


def test_a_run_in_which_all_is_finished_starts_none_either(tmp_path: Path) -> None:
    cluster = FakeCluster([node("one")])
    with RunSession(SETTINGS, tmp_path, RayEngine(cluster)) as session:
        assert session.begin([]) == []
    assert cluster.made == {}
