"""What can be made again is kept where nobody else can write."""

import os
import pwd
from pathlib import Path

import pytest

from kernelbenchx.core.cache import cache_folder, own_folder


def test_the_cache_lies_where_the_user_keeps_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/someone")
    assert cache_folder({"XDG_CACHE_HOME": "/var/x"}) == Path("/var/x/kernelbenchx")
    assert cache_folder({"XDG_CACHE_HOME": ""}) == Path("/home/someone/.cache/kernelbenchx")
    assert cache_folder({}) == Path("/home/someone/.cache/kernelbenchx")


def test_a_user_without_a_home_has_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", dict[int, str]().__getitem__)
    assert cache_folder({}).name == f"kernelbenchx-{os.geteuid()}"


def test_a_folder_is_made_for_us_alone_and_kept(tmp_path: Path) -> None:
    wanted = tmp_path / "a" / "b"
    assert own_folder(wanted) == wanted
    assert wanted.stat().st_mode & 0o777 == 0o700
    assert own_folder(wanted) == wanted


def test_a_folder_that_others_can_write_is_not_ours(tmp_path: Path) -> None:
    wanted = tmp_path / "shared"
    wanted.mkdir()
    wanted.chmod(0o777)
    assert own_folder(wanted) is None


def test_where_no_folder_can_be_made_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert own_folder(tmp_path / "file" / "below") is None
