"""What was probably meant where a path is no run."""

from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.suggestions import suggest_name, suggest_run


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder with two runs."""
    for name in ("demo", "refine"):
        with writing(RunFolder(tmp_path / "runs" / name)):
            pass
    return tmp_path / "runs"


def test_a_misspelt_run_gets_the_one_with_a_similar_name(runs: Path) -> None:
    assert suggest_run(runs / "dmeo") == f"; did you mean {runs / 'demo'}?"
    assert suggest_run(runs / "nothing like it") == ""
    with pytest.raises(BadInput, match=r"no run\.sqlite there; did you mean"):
        RunFolder.existing(runs / "refin")


def test_a_study_and_a_folder_of_runs_name_a_run_of_theirs(runs: Path) -> None:
    assert suggest_run(runs) == f"; it holds runs: name one of its 2 runs, such as {runs / 'demo'}"
    study = runs.parent
    (study / "study.json").touch()
    assert "it is a study: name one of its 2 runs" in suggest_run(study)
    (study / "empty").mkdir()
    assert suggest_run(study / "empty") == ""


def test_a_suffix_is_no_likeness(tmp_path: Path) -> None:
    others = [tmp_path / name for name in ("relu.py", "who.py", "nope.txt")]
    assert suggest_name(tmp_path / "rleu.py", others) == f"; did you mean {tmp_path / 'relu.py'}?"
    assert suggest_name(tmp_path / "nope.py", others) == ""


@pytest.mark.parametrize("name", ["a\nb", "\x1b[31m", "\udcff", "a\u202eb"])
def test_a_run_has_a_name_that_can_be_printed(tmp_path: Path, name: str) -> None:
    for open_it in (RunFolder.to_write, RunFolder.existing):
        with pytest.raises(BadInput, match="the name of a run is not text on one line") as caught:
            open_it(tmp_path / name)
        assert str(caught.value).isprintable()
    assert RunFolder.to_write(tmp_path / "größe\u3000x").root.name == "größe\u3000x"
