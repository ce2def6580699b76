from pathlib import Path

import pytest

from kernelbenchx import catalog
from kernelbenchx.attacks.attack import BrokenAttack, attacks, controls, read_attack, read_control
from kernelbenchx.core.outcome import Composition

GOOD = '''"""Answers zeros.

class: C2
task: relu
checks: wrong
no-checks: wrong|broken
level: L2
"""
'''


def _file(folder: Path, text: str, name: str = "c2_zeros.py") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_file_says_what_it_must_get(tmp_path: Path) -> None:
    attack = read_attack(_file(tmp_path, GOOD))
    assert (attack.name, attack.ident, attack.level) == ("c2_zeros", "C2", "L2")
    assert attack.what == "Answers zeros."
    assert attack.allowed(checks=True) == {"wrong"}
    assert attack.allowed(checks=False) == {"wrong", "broken"}
    assert not attack.dangerous and attack.device == "any" and attack.composition is None


def test_a_file_is_read_and_never_run(tmp_path: Path) -> None:
    assert read_attack(_file(tmp_path, GOOD + "raise SystemExit(3)\n")).source.endswith("(3)\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Answers zeros.", "answers zeros"),
        ("class: C2\n", ""),
        ("class: C2", "class: C3"),
        ("class: C2", "class: T2"),
        ("task: relu\n", ""),
        ("checks: wrong\n", ""),
        ("checks: wrong\n", "checks: fine\n"),
        ("no-checks: wrong|broken", "no-checks: wrong|"),
        ("no-checks: wrong|broken", "no-checks: correct"),
        ("level: L2", "level: L0"),
        ("level: L2", "level: L2\nlevel: L3"),
        ("level: L2", "level: L2\nsays: more"),
        ("level: L2", "level: L2\ndangerous: perhaps"),
        ("level: L2", "level: L2\ndevice: tpu"),
        ("level: L2", "level: L2\ncomposition: unknown"),
        ('"""\n', '"""\ndef broken('),
    ],
)
def test_a_file_that_says_something_else_is_an_error(tmp_path: Path, old: str, new: str) -> None:
    text = GOOD if old.startswith('"""') else GOOD.replace(old, new, 1)
    if old.startswith('"""'):
        text = GOOD + "def broken("
    with pytest.raises(BrokenAttack, match="c2_zeros"):
        read_attack(_file(tmp_path, text))


def test_a_control_says_what_it_is_made_of(tmp_path: Path) -> None:
    text = '"""A kernel."""\n'
    with pytest.raises(BrokenAttack):
        read_control(_file(tmp_path, text))
    text = '"""A kernel.\n\ntask: relu\ncomposition: mixed\n"""\n'
    assert read_control(_file(tmp_path, text)).composition is Composition.MIXED


def test_the_suite_is_large_and_names_tasks_that_exist() -> None:
    found, honest = attacks(), controls()
    assert len(found) >= 40 and len(honest) >= 12
    assert len({one.name for one in found}) == len(found)
    for task in {one.task for one in found} | {one.task for one in honest}:
        assert len(catalog.select(task)) == 1
