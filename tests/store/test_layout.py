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
