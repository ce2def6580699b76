"""The script and the manifest of the page are what their programs can read."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "cluster.md").read_text("utf-8")


def _file(name: str) -> str:
    found = re.search(rf'^```\w+ title="{name}"\n(.*?)^```', PAGE, re.M | re.S)
    assert found is not None
    return found[1]


def _parses(script: str) -> bool:
    return subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode == 0


def test_the_script_is_one() -> None:
    script = _file("cluster.sbatch")
    assert _parses(script) and script.startswith("#!/bin/bash\n#SBATCH")
    assert not _parses(script.replace("\nfi\n", "\n"))


def test_what_the_script_makes_is_for_its_owner_alone_and_goes_with_the_job(tmp_path: Path) -> None:
    script = _file("cluster.sbatch")
    begin = script.partition("\nread -r head")[0].replace("source .venv/bin/activate\n", "")
    stand_in = 'srun() { while [[ "$1" == --* ]]; do shift; done; "$@"; }\n'
    shown = '\nstat -c "%a %s" "$RAY_AUTH_TOKEN_PATH"; stat -c %a "$files"'
    begin = begin.replace("files=/tmp/", f"files={tmp_path}/")
    command = ["env", "SLURM_JOB_ID=7", "SLURM_JOB_NUM_NODES=1", "bash", "-c"]
    ran = subprocess.run(
        [*command, stand_in + begin + shown],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ran.stdout == "600 64\n700\n"
    assert list(tmp_path.iterdir()) == []


def test_the_manifest_asks_for_a_token_and_lets_only_its_own_pods_through() -> None:
    yaml = pytest.importorskip("yaml")
    documents: list[Any] = list(yaml.safe_load_all(_file("cluster.yaml")))
    cluster, policy = documents
    assert (cluster["kind"], policy["kind"]) == ("RayCluster", "NetworkPolicy")
    assert cluster["spec"]["authOptions"] == {"mode": "token"}
    own = {"matchLabels": {"ray.io/cluster": cluster["metadata"]["name"]}}
    assert policy["spec"]["podSelector"] == own
    assert policy["spec"]["ingress"] == [{"from": [{"podSelector": own}]}]
    (group,) = cluster["spec"]["workerGroupSpecs"]
    for pods in (cluster["spec"]["headGroupSpec"], group):
        assert pods["template"]["spec"]["automountServiceAccountToken"] is False


def test_the_page_says_what_could_not_be_tried() -> None:
    untried = PAGE.partition("## What could not be tried")[2]
    assert all(word in untried for word in ("Slurm", "Kubernetes", "two GPUs"))
