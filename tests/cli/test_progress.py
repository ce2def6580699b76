import pytest

from kernelbenchx.cli.progress import Progress
from samples import evaluation


def test_without_a_terminal_each_outcome_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(quiet=False) as progress:
        progress.begin(3, 1)
        progress.done(evaluation("two"))
    said = capsys.readouterr().err
    assert "evaluating 3 submissions, 1 finished before" in said
    assert "[2/3] two: correct" in said


def test_quiet_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(quiet=True) as progress:
        progress.begin(1, 0)
        progress.done(evaluation())
    assert capsys.readouterr() == ("", "")
