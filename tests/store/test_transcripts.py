import json
from pathlib import Path

import pytest

from asked_runs import write_asked_run
from kernelbenchx.core.errors import BadInput
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.transcripts import reading_transcript


def test_requests_come_in_the_order_of_time_with_what_was_said(tmp_path: Path) -> None:
    write_asked_run(tmp_path, {"math/add": 2, "math/div": 1})
    with reading_transcript(tmp_path) as opened:
        assert opened.holds_any()
        found = opened.requests("math/add")
        assert [step for _, step in found] == ["round 0", "round 1"]
        said = opened.exchanges([found[1][0], "unknown", found[0][0]])
        assert [json.loads(one)["step"] for one in said] == ["round 1", "round 0"]
        assert opened.requests("math/none") == []


def test_runs_without_a_model_hold_nothing(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)):
        pass
    with reading_transcript(tmp_path) as opened:
        assert not opened.holds_any()


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is not a run"):
        with reading_transcript(tmp_path):
            pass
