"""What a run holds, read as submissions."""

from pathlib import Path

import msgspec
import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.submission import Origin
from kernelbenchx.evaluate.intake import read_intake
from kernelbenchx.evaluate.run_submissions import is_run, submissions_of
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation

ORIGIN = Origin(model="m", method="sample", round="0", sample=3, step="sample 3")


def run_with(folder: Path, task: str = "level1/elu") -> Path:
    one = msgspec.structs.replace(evaluation("elu__sample3"), task=task, origin=ORIGIN)
    with writing(RunFolder(folder)) as database:
        database.append("k", one, "x = 1\n")
    return folder


def test_submissions_keep_their_origin(tmp_path: Path) -> None:
    run = run_with(tmp_path / "run")
    assert is_run(run) and not is_run(tmp_path)
    (one,) = submissions_of(run)
    assert (one.name, one.task, one.source) == ("elu__sample3", "level1/elu", "x = 1\n")
    assert one.origin == ORIGIN
    assert read_intake([run]).submissions == [one]


def test_submissions_keep_their_language(tmp_path: Path) -> None:
    one = msgspec.structs.replace(evaluation("in_cuda"), language="cuda")
    with writing(RunFolder(tmp_path / "run")) as database:
        database.append("k", one, "x\n")
    (kept,) = submissions_of(tmp_path / "run")
    assert kept.language == "cuda"


def test_a_task_that_is_not_here_is_counted_and_not_judged(tmp_path: Path) -> None:
    run_with(tmp_path / "run", "level1/of_the_future")
    with pytest.raises(BadInput, match=r"no submission found.*of_the_future"):
        read_intake([tmp_path / "run"])


def test_a_run_needs_no_task(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="leave `task` out"):
        read_intake([run_with(tmp_path / "run")], "relu")
