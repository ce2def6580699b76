import json

import pytest

from kernelbenchx.cli.output import print_json


def test_json_is_one_document_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"a": ["ä", 1.5, None]})
    assert json.loads(capsys.readouterr().out) == {"a": ["ä", 1.5, None]}
