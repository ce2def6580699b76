import sys
from pathlib import Path

import pytest

from kernelbenchx.worker.submission_loader import MissingEntry, entry_of, load_python


def test_a_submission_is_imported_from_a_real_file(tmp_path: Path) -> None:
    module = load_python("def f(x):\n    return x + 1\n", tmp_path)
    name, entry = entry_of(module, ("g", "f"))
    assert (name, entry(1)) == ("f", 2)
    assert Path(str(module.__file__)).read_text().startswith("def f")
    del sys.modules["submission"]


def test_another_text_is_a_module_of_its_own(tmp_path: Path) -> None:
    loaded = [load_python("VALUE = 1\n", tmp_path), load_python("VALUE = 2\n", tmp_path, "own.py")]
    assert [(one.__name__, one.VALUE) for one in loaded] == [("submission", 1), ("own", 2)]
    assert sys.modules["submission"] is loaded[0] and sys.modules["own"] is loaded[1]
    del sys.modules["submission"], sys.modules["own"]
    with pytest.raises(ZeroDivisionError):
        load_python("1 / 0\n", tmp_path, "own.py")
    del sys.modules["own"]


def test_a_submission_without_the_entry_is_refused(tmp_path: Path) -> None:
    module = load_python("f = 3\n", tmp_path)
    with pytest.raises(MissingEntry, match="g, f"):
        entry_of(module, ("g", "f"))
    del sys.modules["submission"]
