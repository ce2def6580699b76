"""docs/how-to/run-a-study.md: its file is a study, and its table has every key."""

import re
from pathlib import Path

from kernelbenchx.cli.task_choice import chosen_tasks
from kernelbenchx.study import read_study
from kernelbenchx.study.checking import check_study

PAGE = (Path(__file__).parents[1] / "docs" / "how-to" / "run-a-study.md").read_text("utf-8")


def test_its_file_has_as_many_cells_as_it_says(tmp_path: Path) -> None:
    (text,) = re.findall(r'^```toml title="mine.toml"\n(.*?)^```', PAGE, flags=re.M | re.S)
    (tmp_path / "mine.toml").write_text(text)
    found = check_study(tmp_path / "mine.toml", chosen_tasks, {})
    assert len(found.cells) == 4 and "four cells for each model" in PAGE
    assert found.study.seed == 7 and len(found.study.tasks) > 5


def test_every_key_and_every_shipped_study_is_explained() -> None:
    rows = re.findall(r"^\| (`[^|]+?) \|", PAGE, flags=re.M)
    named = {name for row in rows for name in re.findall(r"`([a-z_]+)`", row)}
    assert named >= set(read_study._KEYS)
    assert named >= set(read_study.shipped_names())
    assert not named - {*read_study._KEYS, *read_study.shipped_names(), "runs", "tables"}
