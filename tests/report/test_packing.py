import math
from pathlib import Path

import pytest

from kernelbenchx.report.packing import encode_document, pack_document, write
from report_samples import unpacked

HOSTILE = '</script><script>alert(1)</script> \u2028 " \\ \x00'


def test_what_is_packed_comes_back(tmp_path: Path) -> None:
    write(tmp_path, "tasks/3", encode_document({"text": HOSTILE, "n": [1, 2.5, None]}))
    assert unpacked(tmp_path / "tasks" / "3.js") == {"text": HOSTILE, "n": [1, 2.5, None]}


def test_no_text_can_end_the_script() -> None:
    script = pack_document("index", encode_document({"text": HOSTILE}))
    assert script.count(b"<") == 0
    assert script.count(b'"') == 4
    assert script.count(b"\n") == 1


def test_half_a_character_pair_is_kept(tmp_path: Path) -> None:
    write(tmp_path, "index", encode_document({"text": "\ud800"}))
    assert unpacked(tmp_path / "index.js") == {"text": "\ud800"}


def test_infinities_are_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode_document({"speedup": math.inf})
