"""What is left to other runs comes in its turn, and at once where it changed or is asked for."""

from collections.abc import Iterable

import pytest

import sampled
from kernelbenchx import catalog
from kernelbenchx.spec.cases import Case
from sampled import (
    ALL,
    cases_with_every_option,
    changed,
    comes_now,
    core_cases_with_every_option,
    due,
    rotating,
)

NAMES = catalog.names()


@pytest.fixture(autouse=True)
def _some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ALL, raising=False)
    monkeypatch.setattr(sampled, "_written", frozenset)


def _options(cases: Iterable[Case]) -> set[tuple[str, str]]:
    return {one for case in cases for one in case.options.items()}


def test_everything_has_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    found: set[str] = set()
    for turn in range(len(NAMES)):
        monkeypatch.setattr(sampled, "turn", lambda turn=turn: turn)
        some = rotating(NAMES, 4)
        assert len(some) == 4 and set(some) <= set(NAMES)
        found.update(some)
    assert found == set(NAMES)


def test_a_quarter_comes_on_a_commit_and_all_within_some(monkeypatch: pytest.MonkeyPatch) -> None:
    found: set[str] = set()
    for commit in range(60):
        monkeypatch.setattr(sampled, "_commit", lambda commit=commit: f"{commit:040x}")
        now = {name for name in NAMES if comes_now(name)}
        assert len(NAMES) / 8 < len(now) < len(NAMES) / 2
        found |= now
    assert found == set(NAMES)
    monkeypatch.setenv(ALL, "1")
    assert all(map(comes_now, NAMES))


def test_what_changed_is_due_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    left = [name for name in NAMES if name not in rotating(NAMES, 4)]
    task, witness = catalog.path_of(left[0]), catalog.witness_path(left[1])
    assert set(changed(NAMES, {task, witness})) - set(changed(NAMES, ())) == set(left[:2])
    monkeypatch.setattr(sampled, "_written", lambda: frozenset({task, witness}))
    assert {*left[:2]} <= set(due(NAMES, 4))


def test_all_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    task = catalog.load("reduce/mean")
    assert len(cases_with_every_option(task)) < len(task.cases(0))
    monkeypatch.setenv(ALL, "1")
    assert rotating(NAMES, 4) == due(NAMES, 4) == list(NAMES)
    assert cases_with_every_option(task) == task.cases(0)
    assert core_cases_with_every_option(task) == tuple(
        one for one in task.cases(0) if not one.needs
    )


@pytest.mark.parametrize("name", ["reduce/mean", "random/rand", "index/scatter", "math/fftn"])
def test_every_option_that_is_drawn_is_among_fewer_cases(name: str) -> None:
    task = catalog.load(name)
    drawn = [case for seed in range(5) for case in task.cases(seed)]
    assert _options(cases_with_every_option(task)) == _options(drawn)
    core = core_cases_with_every_option(task)
    assert not any(one.needs for one in core)
    assert _options(core) >= _options(one for one in drawn if not one.needs)


def test_corners_alone_would_not_have_every_option() -> None:
    task = catalog.load("reduce/mean")
    corners = [one for one in cases_with_every_option(task) if one.corner]
    assert _options(corners) < _options(task.cases(0))
