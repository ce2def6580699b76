"""Against a cluster that runs: clients, what a submission reaches of it, and a whole study."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from attacks.unconfined import reaches
from cluster.live import cluster
from kernelbenchx import Correct, Wrong, load_run
from kernelbenchx.attacks.attack import attacks
from kernelbenchx.attacks.suite_run import against
from kernelbenchx.cli.study_tables import ALL
from kernelbenchx.cluster import access
from kernelbenchx.core.errors import BadInput
from scripted_models import RIGHT, WRONG, Skill, server

pytest.importorskip("ray")
# An arena is for one run: it may have to wait for another test.
pytestmark = pytest.mark.timeout(3600)

STUDY = """
models = [{{ model = "openai:strong", base_url = "{url}" }}]
methods = ["one_shot"]
tasks = ["relu", "sum"]
device = "interpreter"
seed = 3
"""
ON_A_CLUSTER = [one for one in attacks() if one.ident == "X16"]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with cluster(tmp_path_factory.mktemp("home")) as variables:
        yield variables


@pytest.mark.slow
def test_a_cluster_is_asked_whether_it_serves_clients_without_a_token(
    client: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in client.items():
        monkeypatch.setenv(name, value)
    access.require_access("auto")
    monkeypatch.setenv("RAY_AUTH_TOKEN", "0" * 64)
    with pytest.raises(BadInput, match="no Ray cluster answers there to this token"):
        access.require_access("auto")


@pytest.mark.slow
def test_outside_of_the_sandbox_a_client_joins_it(client: dict[str, str], tmp_path: Path) -> None:
    assert reaches("x16_imports_ray", tmp_path, os.environ | client)


@pytest.mark.slow
@pytest.mark.parametrize("level", ("L2", "L3"))
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


@pytest.mark.slow
def test_a_study_on_it_has_the_tables_of_one_without(
    client: dict[str, str], tmp_path: Path
) -> None:
    skills = {"strong": {"relu": Skill(RIGHT), "sum": Skill(WRONG)}}
    tables = []
    for words in (["--engine", "local"], ["--engine", "ray"]):
        folder = tmp_path / words[-1]
        folder.mkdir()
        with server(skills) as models:
            (folder / "study.toml").write_text(STUDY.format(url=models.url), encoding="utf-8")
            command = [sys.executable, "-m", "kernelbenchx", "study", "study.toml", "--out", "out"]
            done = subprocess.run(
                [*command, *words],
                cwd=folder,
                env=os.environ | client,
                capture_output=True,
                text=True,
                check=False,
            )
        assert done.returncode == 0, done.stderr
        (cell,) = (folder / "out" / "runs").iterdir()
        judged = [(one.task, type(one.outcome)) for one in load_run(cell).results]
        assert sorted(judged, key=str) == [("activation/relu", Correct), ("reduce/sum", Wrong)]
        found = json.loads((folder / "out" / "tables" / ALL).read_text(encoding="utf-8"))
        tables.append(found["analyses"]["rates"])
    assert tables[0] == tables[1]
