import sys
from pathlib import Path

import pytest
import torch

from kernelbenchx.worker.replies import MAX_TEXT, error_of, is_oversized
from kernelbenchx.worker.submission_loader import load_python


def test_an_error_has_the_line_of_the_submission(tmp_path: Path) -> None:
    module = load_python("def f(x):\n    y = x\n    return y.no_such_thing\n", tmp_path)
    with pytest.raises(AttributeError) as raised:
        module.f(torch.zeros(1))
    said = error_of(raised.value)
    assert (said["type"], said["line"]) == ("AttributeError", 3)
    del sys.modules["submission"]


def test_an_error_elsewhere_has_no_line_and_a_long_one_is_cut() -> None:
    said = error_of(ValueError("x" * 10 * MAX_TEXT))
    assert said["line"] == 0
    assert len(said["message"]) == MAX_TEXT


def test_an_answer_of_any_size_is_told_from_one_that_can_be_kept() -> None:
    huge = torch.empty(1).expand(1 << 30)
    assert is_oversized(huge)
    assert is_oversized([torch.ones(3), {"y": huge}])
    assert not is_oversized((torch.ones(1 << 20), None, "text"))
