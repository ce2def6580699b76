"""Against a cluster that runs: which clients are served, and what a submission reaches of it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from attacks.unconfined import reaches
from cluster.live import cluster
from kernelbenchx.attacks.attack import attacks
from kernelbenchx.attacks.running import against
from kernelbenchx.cluster import access
from kernelbenchx.core.errors import BadInput
from sampled import rotating

pytest.importorskip("ray")
# An arena is for one run: it may have to wait for another test.
pytestmark = [pytest.mark.arena, pytest.mark.timeout(3600)]

ON_A_CLUSTER = [one for one in attacks() if one.ident == "X16"]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with cluster(tmp_path_factory.mktemp("home")) as variables:
        yield variables


def test_a_cluster_is_asked_whether_it_serves_clients_without_a_token(
    client: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in client.items():
        monkeypatch.setenv(name, value)
    access.require_access("auto")
    monkeypatch.setenv("RAY_AUTH_TOKEN", "0" * 64)
    with pytest.raises(BadInput, match="no Ray cluster answers there to this token"):
        access.require_access("auto")


def test_outside_of_the_sandbox_a_client_joins_it(client: dict[str, str], tmp_path: Path) -> None:
    assert reaches("x16_imports_ray", tmp_path, os.environ | client)


@pytest.mark.parametrize("level", rotating(("L2", "L3"), 1))
def test_a_submission_reaches_nothing_of_it(
    client: dict[str, str], level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in client.items():
        monkeypatch.setenv(name, value)
    report = against(
        attacks=ON_A_CLUSTER, controls=[], checks=False, isolation=level, device="interpreter"
    )
    assert [(one.name, one.problems) for one in report.through] == []
    assert len(report.stopped) == len(ON_A_CLUSTER)
