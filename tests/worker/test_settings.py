"""Settings cross to the warm parent unchanged."""

from dataclasses import replace

import pytest

from kernelbenchx.worker.settings import KINDS, WorkerSettings, settings_from_json

SETTINGS = WorkerSettings(
    kind="interpret",
    level="L2",
    identity="same",
    main="worker.main:serve",
    paths=("/lib",),
    roots=("/usr",),
    hidden=("/usr/lib/hidden",),
    private="/tmp/x",
)


def test_they_come_back_equal() -> None:
    assert settings_from_json(SETTINGS.to_json()) == SETTINGS


def test_unknown_fields_are_refused() -> None:
    with pytest.raises(TypeError, match="colour"):
        settings_from_json(SETTINGS.to_json().replace('"kind"', '"colour"'))


def test_each_level_has_what_the_one_before_has() -> None:
    found = [replace(SETTINGS, level=level) for level in ("L1", "L2", "L3")]
    assert [each.confined for each in found] == [False, True, True]
    assert [each.namespaced for each in found] == [False, False, True]


def test_only_what_must_start_programs_may() -> None:
    assert not KINDS["interpret"].processes
    assert KINDS["compile"].processes and not KINDS["compile"].device
    assert KINDS["cuda"].processes and KINDS["cuda"].device
