import sys
from pathlib import Path

import pytest

from kernelbenchx.worker.loading import MissingEntry, entry_of, load_python


def test_a_submission_is_imported_from_a_real_file(tmp_path: Path) -> None:
    module = load_python("def f(x):\n    return x + 1\n", tmp_path)
    name, entry = entry_of(module, ("g", "f"))
    assert (name, entry(1)) == ("f", 2)
    assert Path(str(module.__file__)).read_text().startswith("def f")
    del sys.modules["submission"]


def test_a_submission_without_the_entry_is_refused(tmp_path: Path) -> None:
    module = load_python("f = 3\n", tmp_path)
    with pytest.raises(MissingEntry, match="g, f"):
        entry_of(module, ("g", "f"))
    del sys.modules["submission"]
