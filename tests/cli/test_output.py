import io
import json
import sys

import pytest

from kernelbenchx.cli.output import console, print_json


def test_json_is_one_document_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"a": ["ä", 1.5, None]})
    assert json.loads(capsys.readouterr().out) == {"a": ["ä", 1.5, None]}


@pytest.mark.parametrize(("said", "width"), [("80", 80), ("", 140), ("wide", 140)])
def test_a_pipe_is_as_wide_as_columns_says(
    said: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    monkeypatch.setenv("COLUMNS", said)
    assert console().width == width
