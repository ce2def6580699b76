"""The folder of a study: begun once, resumed with the same seed, stage and device."""

from pathlib import Path

import msgspec
import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.study.folder import StudyFolder
from kernelbenchx.study.study_schema import Study
from study.study_files import GOOD, check

STUDY = Study(methods=(), tasks=(), seed=7)


def changed(**fields: object) -> Study:
    return msgspec.structs.replace(STUDY, **fields)


def test_a_seed_is_drawn_once(tmp_path: Path) -> None:
    folder = StudyFolder(tmp_path / "study")
    drawn = folder.begin(changed(seed=None))
    assert drawn > 0 and folder.begin(changed(seed=None)) == drawn
    assert folder.begin(changed(seed=drawn)) == drawn
    with pytest.raises(BadInput, match="another seed"):
        folder.begin(changed(seed=drawn + 1))


@pytest.mark.parametrize(
    "other", [{"seed": 8}, {"stage": "call"}, {"device": "cuda"}, {"time_limit": 5.0}]
)
def test_what_verdicts_depend_on_cannot_change(tmp_path: Path, other: dict[str, object]) -> None:
    folder = StudyFolder(tmp_path / "study")
    assert folder.begin(STUDY) == folder.begin(STUDY) == 7
    (name,) = other
    with pytest.raises(BadInput, match=f"started with another {name}: .*; choose another --out"):
        folder.begin(changed(**other))


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for path in (tmp_path, tmp_path / "file"):
        with pytest.raises(BadInput, match="is not a study"):
            StudyFolder(path).begin(STUDY)
    assert [one.name for one in tmp_path.iterdir()] == ["file"]
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "study.json").write_text("{}")
    with pytest.raises(BadInput, match="not the note of a study"):
        StudyFolder(broken).begin(STUDY)


def test_a_cell_without_a_run_has_spent_nothing(tmp_path: Path) -> None:
    cell = check(tmp_path, GOOD).cells[0]
    folder = StudyFolder(tmp_path / "study")
    assert folder.count_tokens(cell).total == 0
    assert folder.run(cell) == tmp_path / "study" / "runs" / cell.folder
