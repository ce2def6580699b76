"""A grant reaches all the way down, so hidden parts are left out entry by entry."""

from pathlib import Path

import pytest

from kernelbenchx.worker.grants import at_level, without
from kernelbenchx.worker.landlock import LIST, READ
from kernelbenchx.worker.settings import WorkerSettings


def tree(tmp_path: Path) -> Path:
    for name in ("site/torch", "site/kernelbenchx/core", "site/numpy"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path


def test_hidden_folders_are_left_out_and_the_rest_is_granted(tmp_path: Path) -> None:
    site = tree(tmp_path) / "site"
    grants = dict(without(tmp_path, {site / "kernelbenchx"}))
    assert grants == {
        str(tmp_path): LIST,
        str(site): LIST,
        str(site / "numpy"): READ,
        str(site / "torch"): READ,
    }


def test_without_anything_hidden_one_grant_is_enough(tmp_path: Path) -> None:
    site = tree(tmp_path) / "site"
    assert list(without(site, {tmp_path / "elsewhere"})) == [(str(site), READ)]
    assert list(without(site, {site})) == []


def test_a_link_to_what_is_hidden_is_left_out(tmp_path: Path) -> None:
    site = tree(tmp_path) / "site"
    (site / "alias").symlink_to(site / "kernelbenchx")
    assert str(site / "alias") not in dict(without(site, {site / "kernelbenchx"}))


@pytest.mark.parametrize(("level", "granted"), [("L1", None), ("L2", "/usr"), ("L3", "/")])
def test_what_is_granted_depends_on_the_level(level: str, granted: str | None) -> None:
    settings = WorkerSettings("plain", level, "same", "os:getpid", (), ("/usr",), (), "/tmp")
    grants = dict(at_level(settings))
    assert [path for path in ("/", "/usr") if path in grants] == ([granted] if granted else [])
    assert ("/dev/null" in grants) is (granted is not None)
