"""The collector rests while modules are loaded, and works again afterwards."""

import gc

import pytest

from kernelbenchx.worker.gc_control import loading, pause_gc, settle_memory


def test_it_works_again_also_after_a_failure() -> None:
    assert gc.isenabled()
    with pause_gc():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ImportError), pause_gc():
        raise ImportError
    assert gc.isenabled()


def test_it_stays_off_where_it_was_off() -> None:
    gc.disable()
    try:
        with pause_gc():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize(("name", "first"), [("never_loaded", True), ("gc", False)])
def test_what_a_package_made_is_looked_at_no_more_once_it_is_loaded(name: str, first: bool) -> None:
    before = gc.get_freeze_count()
    try:
        with loading(name):
            assert not gc.isenabled()
        assert gc.isenabled()
        assert (gc.get_freeze_count() > before) is first
    finally:
        gc.unfreeze()


def test_what_is_there_now_is_looked_at_no_more_and_what_comes_is() -> None:
    try:
        settle_memory()
        frozen = gc.get_freeze_count()
        assert frozen > 0
        made: list[object] = []
        made.append(made)
        assert any(one is made for one in gc.get_objects())
    finally:
        gc.unfreeze()
