import json
from pathlib import Path

import msgspec

from kernelbenchx.certify.certificate import Certificate
from kernelbenchx.certify.problems.problem_certificate import ProblemCertificate
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


def test_the_grade_of_a_problem_is_kept_and_an_unsound_one_is_not(tmp_path: Path) -> None:
    path = tmp_path / "certificates.json"
    found = ProblemCertificate(task="level1/a", digest="d", honest={}, kills=(), faults=())
    unsound = msgspec.structs.replace(found, task="level1/b", unsound="zeros pass")
    flawed = msgspec.structs.replace(found, task="level1/c", faults=("zeros pass",))
    solved = msgspec.structs.replace(found, task="level1/d", witness="correct")
    keep(path, [found, unsound, flawed, solved])
    kept = {name: one.get("grade") for name, one in json.loads(path.read_text()).items()}
    assert kept == {"level1/a": "discriminating", "level1/d": "witnessed"}
