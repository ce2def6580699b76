from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.stability.verdicts import open_verdicts


def test_finished_pairs_are_found_by_the_next_process(tmp_path: Path) -> None:
    path = tmp_path / "new" / "kept.sqlite"
    with open_verdicts(path) as one, open_verdicts(path) as two:
        one.add("k", 1, "correct pure")
        assert two.find("k", 1) == "correct pure"
    with open_verdicts(path) as again:
        assert again.find("k", 1) == "correct pure"
        assert again.find("k", 2) is None and again.find("other", 1) is None


def test_a_file_that_is_no_database_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite"
    path.write_text("this is a text, and long enough to be no header of SQLite", encoding="utf-8")
    with pytest.raises(BadInput, match="cannot keep verdicts there"), open_verdicts(path):
        pass
