from pathlib import Path

import pytest

from kernelbenchx.attacks.attack import (
    CONTROLS,
    SUITE,
    attacks,
    controls,
    timing_attacks,
    timing_controls,
)
from kernelbenchx.attacks.attack_header import BrokenAttack
from kernelbenchx.attacks.source import PRELUDES, expand

HEADER = '"""Does something.\n\ntask: relu\nchecks: wrong\n"""\n'
IMPORTS = "import torch\nimport triton\nimport triton.language as tl\n"
OWN = "import os\nfrom typing import (\n    Any,\n)\n\n\ndef own(x: Any):\n    return os.name\n"


def _expanded(folder: Path, text: str, **defaults: str) -> str:
    path = folder / "c2_file.py"
    path.write_text(text)
    return expand(path, defaults)


def _with(names: str) -> str:
    return HEADER.replace("task", f"with: {names}\ntask")


def test_a_text_without_preludes_and_with_all_fields_stays(tmp_path: Path) -> None:
    assert _expanded(tmp_path, HEADER + "\n\n" + OWN, task="softmax") == HEADER + "\n\n" + OWN


@pytest.mark.parametrize("text", ["x = 1\n", "def broken(", '""""""\n', ""])
def test_what_has_no_header_is_left_to_its_reader(tmp_path: Path, text: str) -> None:
    assert _expanded(tmp_path, text, task="relu") == text


def test_fields_that_are_left_out_stand_in_their_order(tmp_path: Path) -> None:
    text = '"""Does something.\n\nchecks: wrong\ndevice: cuda\n"""\n'
    header = _expanded(tmp_path, text, **{"level": "L1", "class": "C2", "task": "relu"})
    assert header == (
        '"""Does something.\n\nclass: C2\ntask: relu\nchecks: wrong\nlevel: L1\ndevice: cuda\n"""\n'
    )


def test_imports_come_first_and_then_the_preludes_in_their_order(tmp_path: Path) -> None:
    zeros = (PRELUDES / "zeros.py").read_text().partition('"""\n')[2].strip("\n")
    imports, _, own = OWN.partition("\n\n\n")
    assert _expanded(tmp_path, _with("triton, zeros") + "\n" + OWN) == (
        f"{HEADER}\n{imports}\n\n{IMPORTS}\n\n{zeros}\n\n\n{own}"
    )


def test_an_entry_stands_after_the_text_of_the_file(tmp_path: Path) -> None:
    own = "def zeros(input):\n    return input * 0\n"
    text = _expanded(tmp_path, _with("entry_zeros, triton") + "\n\n" + own)
    assert text.startswith(f"{HEADER}\n{IMPORTS}\n\n{own}\n\ndef relu(")
    assert text.endswith("    return zeros(input)\n")


def test_a_file_may_be_nothing_but_preludes(tmp_path: Path) -> None:
    assert _expanded(tmp_path, _with("triton")) == f"{HEADER}\n{IMPORTS}"


@pytest.mark.parametrize("names", ["nothing", "triton,", "../suite/c2_zeros"])
def test_an_unknown_prelude_is_named_in_one_line(tmp_path: Path, names: str) -> None:
    with pytest.raises(
        BrokenAttack, match=r"^c2_file\.py: unknown prelude '.*; there are "
    ) as said:
        _expanded(tmp_path, _with(names))
    assert "\n" not in str(said.value)
    assert "relu_kernel" in str(said.value)


def test_every_prelude_says_what_it_is_and_serves_more_than_one_file() -> None:
    files = [
        path.read_text("utf-8") for folder in (SUITE, CONTROLS) for path in folder.glob("*.py")
    ]
    listed = [
        line.removeprefix("with: ").split(", ")
        for text in files
        for line in text.splitlines()
        if line.startswith("with: ")
    ]
    named = [name for names in listed for name in names]
    for path in PRELUDES.glob("*.py"):
        assert named.count(path.stem) > 1, path.stem
        assert path.read_text("utf-8").partition("\n")[0].endswith('."""'), path.stem


def test_no_source_names_a_prelude_or_leaves_a_place_open() -> None:
    sources = {one.name: one.source for one in (*attacks(), *timing_attacks())}
    sources |= {one.name: one.source for one in (*controls(), *timing_controls())}
    for name, source in sources.items():
        assert "\nwith: " not in source, name
        assert "\n...\n" not in source, name
