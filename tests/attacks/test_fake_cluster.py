"""What stands for a cluster is found by every attack on one, and notices connections."""

import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from attacks.unconfined import reaches
from kernelbenchx.attacks.attack import attacks
from kernelbenchx.attacks.fake_cluster import FakeCluster
from kernelbenchx.attacks.side_effects import SideEffectMonitor

# An arena is for one run: it may have to wait for another test.
pytestmark = pytest.mark.timeout(3600)

ON_A_CLUSTER = tuple(one for one in attacks() if one.ident == "X16")
OF_ITS_OWN = ("x16_imports_ray", "x16_keeps_what_ray_handed_on")
"""What these look for only Ray itself has."""


@pytest.fixture(scope="module")
def arena() -> Iterator[SideEffectMonitor]:
    with SideEffectMonitor() as arena:
        yield arena


@pytest.mark.parametrize("name", [one.name for one in ON_A_CLUSTER if one.name not in OF_ITS_OWN])
def test_outside_of_the_sandbox_an_attack_on_a_cluster_gets_through(
    arena: SideEffectMonitor, tmp_path: Path, name: str
) -> None:
    assert reaches(name, tmp_path)
    heard = {
        "x16_connects_to_ray_sockets": ["a connection to a socket of a Ray node arrived"],
        "x16_connects_to_ray_ports": ["a TCP connection arrived"],
    }
    assert arena.harm(None, {}) == heard.get(name, [])


def test_what_ray_hands_on_is_noticed_and_nothing_is_not(tmp_path: Path) -> None:
    name = "x16_keeps_what_ray_handed_on"
    clean = {key: value for key, value in os.environ.items() if not key.startswith("RAY_")}
    assert reaches(name, tmp_path, clean | {"RAY_RAYLET_PID": "1"})
    assert not reaches(name, tmp_path, clean)


def test_there_are_eight_attacks_that_a_sandbox_has_to_stop() -> None:
    assert len(ON_A_CLUSTER) == 9
    assert {one.name for one in ON_A_CLUSTER if one.level == "L1"} == {OF_ITS_OWN[1]}
    for one in ON_A_CLUSTER:
        assert one.checks == {"rejected"} and one.no_checks == {"broken"}


def test_connections_are_heard_once_and_nothing_is_left() -> None:
    with tempfile.TemporaryDirectory(prefix="kbx-") as folder:
        pretended = FakeCluster(Path(folder))
        memory = Path("/dev/shm") / f"{Path(folder).name}-plasma"
        try:
            assert pretended.drain_contacts() == [] and memory.read_text() == pretended.secret
            for path in Path(folder).glob("ray/session_*/sockets/*"):
                with socket.socket(socket.AF_UNIX) as line:
                    line.connect(str(path))
            assert pretended.drain_contacts() == ["a connection to a socket of a Ray node arrived"]
            assert pretended.drain_contacts() == []
        finally:
            pretended.close()
        assert not memory.exists()
        long = Path(folder) / ("x" * 120)
        long.mkdir()
        with_a_long_path = FakeCluster(long)
        assert with_a_long_path.drain_contacts() == []
        with_a_long_path.close()
