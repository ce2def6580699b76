import json

import pytest

from cli_types import Kbx


@pytest.mark.usefixtures("warm_workers")
def test_one_task_is_certified_and_counted(kbx_here: Kbx) -> None:
    said = kbx_here("certify", "relu", "--device", "interpreter", "--json")
    assert said.returncode == 0, said.stderr
    document = json.loads(said.stdout)
    assert document["tasks"] == document["certified"] == 1
    assert document["mutants"] == document["killed"] >= 5
    assert document["sabotages"] == document["sabotages_killed"] >= 5
    assert document["failed"] == []
