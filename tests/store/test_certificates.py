import json
from pathlib import Path

from kernelbenchx.certify.certificate import Certificate
from kernelbenchx.store.certificates import keep


def _certificate(task: str, *problems: str) -> Certificate:
    return Certificate(
        task=task, digest=f"of {task}", witness="correct", worst=0.0, kills=(), problems=problems
    )


def test_certified_tasks_are_kept_and_others_dropped(tmp_path: Path) -> None:
    path = tmp_path / "certificates.json"
    keep(path, [_certificate("math/add"), _certificate("math/div")])
    keep(path, [_certificate("math/div", "a mutant lives"), _certificate("math/sum", "no")])
    assert json.loads(path.read_text()) == {
        "math/add": {"digest": "of math/add", "mutants": 0, "sabotages": 0}
    }
    assert list(tmp_path.iterdir()) == [path]
