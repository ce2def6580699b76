"""Targets are real cards, found by name."""

import pytest

from kernelbenchx.worker.targets import TARGETS, find_target


def test_every_target_is_found_by_its_name() -> None:
    assert list(TARGETS) == ["sm_80", "sm_89", "sm_90", "sm_100", "gfx942", "gfx950"]
    assert all(find_target(name) is target for name, target in TARGETS.items())


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"unknown target 'H100': expected one of sm_80, sm_89"):
        find_target("H100")


def test_capabilities_are_those_that_torch_reports() -> None:
    capabilities = {name: target.capability for name, target in TARGETS.items()}
    assert capabilities == {
        "sm_80": (8, 0),
        "sm_89": (8, 9),
        "sm_90": (9, 0),
        "sm_100": (10, 0),
        "gfx942": (9, 4),
        "gfx950": (9, 5),
    }


def test_registers_limit_the_threads_of_a_block() -> None:
    # As read from an H200: 39 registers leave all threads, 202 and 255 leave 256.
    assert [find_target("sm_90").threads_with(n) for n in (39, 202, 255)] == [1024, 256, 256]
    assert find_target("gfx942").threads_with(255) == 1024
