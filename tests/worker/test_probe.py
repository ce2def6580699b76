"""The probe says who it is and what it cannot read."""

import json
import os
from pathlib import Path

from kernelbenchx.worker import probe


def test_what_is_not_readable_is_named(tmp_path: Path) -> None:
    order, result = tmp_path / "order", tmp_path / "result"
    order.write_text(json.dumps([__file__, "/nowhere/at/all"]))
    with order.open("rb") as source, result.open("wb") as sink:
        probe.serve(source.fileno(), sink.fileno())
    expected = {"uid": os.getuid(), "pid": os.getpid(), "unreadable": ["/nowhere/at/all"]}
    assert json.loads(result.read_text()) == expected
