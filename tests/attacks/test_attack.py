from pathlib import Path

import pytest

from kernelbenchx import catalog
from kernelbenchx.attacks.attack import (
    attacks,
    controls,
    read_attack,
    read_control,
    timing_attacks,
    timing_controls,
    yardstick,
)
from kernelbenchx.attacks.attack_header import BrokenAttack
from kernelbenchx.core.outcome import Composition, Stage

GOOD = '''"""Answers zeros.

class: C2
task: relu
checks: wrong
no-checks: wrong|broken
level: L2
"""
'''

TIMED = '''"""Keeps answers.

class: T7
task: relu
checks: rejected
no-checks: correct
level: L1
composition: pure
device: cuda
perf-no-checks: failed
reason: stale|timed_wrong
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
    assert attack.allowed_outcomes(checks=True) == {"wrong"}
    assert attack.allowed_outcomes(checks=False) == {"wrong", "broken"}
    assert not attack.dangerous and attack.device == "any" and attack.composition is None


def test_its_class_is_in_its_name_and_other_fields_have_defaults(tmp_path: Path) -> None:
    level_one = GOOD.replace("level: L2", "level: L1")
    short = GOOD.replace("class: C2\ntask: relu\n", "").replace("level: L2\n", "")
    attack = read_attack(_file(tmp_path, short))
    assert attack == read_attack(_file(tmp_path, level_one))
    assert attack.source == level_one
    assert read_control(_file(tmp_path, '"""A kernel."""\n')).task == "relu"


def test_its_source_has_its_preludes(tmp_path: Path) -> None:
    attack = read_attack(_file(tmp_path, GOOD.replace("class", "with: triton\nclass")))
    assert attack.source == GOOD + "\nimport torch\nimport triton\nimport triton.language as tl\n"


def test_who_times_out_is_broken(tmp_path: Path) -> None:
    text = GOOD.replace("wrong|broken", "broken").replace("level: L2", "level: L2\ntimes-out: yes")
    assert read_attack(_file(tmp_path, text)).times_out
    assert not read_attack(_file(tmp_path, GOOD)).times_out


def test_a_file_is_read_and_never_run(tmp_path: Path) -> None:
    assert read_attack(_file(tmp_path, GOOD + "raise SystemExit(3)\n")).source.endswith("(3)\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Answers zeros.", "answers zeros"),
        ("class: C2", "class: C3"),
        ("class: C2", "class: T2"),
        ("checks: wrong\n", ""),
        ("checks: wrong\n", "checks: fine\n"),
        ("no-checks: wrong|broken", "no-checks: wrong|"),
        ("no-checks: wrong|broken", "no-checks: correct"),
        ("level: L2", "level: L0"),
        ("level: L2", "level: L2\nlevel: L3"),
        ("level: L2", "level: L2\nsays: more"),
        ("level: L2", "level: L2\ndangerous: perhaps"),
        ("level: L2", "level: L2\ntimes-out: perhaps"),
        ("level: L2", "level: L2\ntimes-out: yes"),
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
    text = '"""A kernel.\n\ntask: relu\ncomposition: mixed\n"""\n'
    assert read_control(_file(tmp_path, text)).composition is Composition.MIXED


def test_an_attack_on_the_clock_says_what_its_times_may_be(tmp_path: Path) -> None:
    times = read_attack(_file(tmp_path, TIMED, "t7_cache.py")).times
    assert times is not None
    assert times.allowed_performances(checks=False) == {
        "failed"
    } and not times.allowed_performances(checks=True)
    assert times.reasons == {"stale", "timed_wrong"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("perf-no-checks: failed\n", ""),
        ("perf-no-checks: failed", "perf-no-checks: failed\nperf: failed"),
        ("perf-no-checks: failed", "perf-no-checks: timed"),
        ("device: cuda\n", ""),
        ("device: cuda", "device: interpreter"),
        ("no-checks: correct", "no-checks: wrong"),
    ],
)
def test_an_attack_on_the_clock_that_says_something_else_is_an_error(
    tmp_path: Path, old: str, new: str
) -> None:
    with pytest.raises(BrokenAttack, match="t7_cache"):
        read_attack(_file(tmp_path, TIMED.replace(old, new, 1), "t7_cache.py"))


def test_only_attacks_on_the_clock_speak_of_times(tmp_path: Path) -> None:
    assert read_attack(_file(tmp_path, GOOD)).times is None
    with pytest.raises(BrokenAttack, match="perf"):
        read_attack(_file(tmp_path, GOOD.replace("level: L2", "level: L2\nperf: failed")))


def test_a_control_that_is_timed_needs_a_card(tmp_path: Path) -> None:
    text = '"""A kernel.\n\ntask: relu\ndevice: cuda\nstage: perf\nchecks: off\n"""\n'
    control = read_control(_file(tmp_path, text))
    assert control.stage is Stage.PERF and control.unchecked
    for wrong in ("device: any", "device: interpreter"):
        with pytest.raises(BrokenAttack):
            read_control(_file(tmp_path, text.replace("device: cuda", wrong)))


def test_a_task_without_an_honest_control_has_no_yardstick() -> None:
    assert yardstick("relu").name == "timing_honest_relu"
    with pytest.raises(BrokenAttack, match="softmax"):
        yardstick("softmax")


def test_the_suite_of_the_clock_is_large_and_can_be_compared() -> None:
    found, honest = timing_attacks(), timing_controls()
    assert len(found) >= 24 and len(honest) >= 8
    assert not {one.name for one in found} & {one.name for one in attacks()}
    assert not {one.name for one in honest} & {one.name for one in controls()}
    for task in {one.task for one in found}:
        assert yardstick(task).task == task
    for task in {one.task for one in honest}:
        assert len(catalog.select(task)) == 1


def test_the_suite_is_large_and_names_tasks_that_exist() -> None:
    found, honest = attacks(), controls()
    assert len(found) >= 40 and len(honest) >= 12
    assert len({one.name for one in found}) == len(found)
    for task in {one.task for one in found} | {one.task for one in honest}:
        assert len(catalog.select(task)) == 1
