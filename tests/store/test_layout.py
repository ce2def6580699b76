from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder


def test_a_run_is_found_by_its_folder_or_its_database(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path / "run")):
        pass
    for path in (tmp_path / "run", tmp_path / "run" / "run.sqlite"):
        assert RunFolder.existing(path).root == tmp_path / "run"
    with pytest.raises(BadInput, match="not a run"):
        RunFolder.existing(tmp_path)


def test_a_run_is_not_begun_among_other_files(tmp_path: Path) -> None:
    assert RunFolder.to_write(tmp_path / "new").root == tmp_path / "new"
    for name in (".gitignore", "run.lock", "said.log", "errors.txt"):
        (tmp_path / name).touch()
    assert RunFolder.to_write(tmp_path).root == tmp_path
    (tmp_path / "index.html").touch()
    with pytest.raises(BadInput, match="other files and no run: choose another folder with `out`"):
        RunFolder.to_write(tmp_path)
    with pytest.raises(BadInput, match="is a file: choose a folder"):
        RunFolder.to_write(tmp_path / "index.html")
    (tmp_path / "run.sqlite.gz").touch()
    with pytest.raises(BadInput, match="a packed run: unpack it"):
        RunFolder.to_write(tmp_path)
    with writing(RunFolder(tmp_path)):
        pass
    assert RunFolder.to_write(tmp_path).root == tmp_path
