"""What a worker may read: enough to run, nothing that holds an answer."""

import sys
from pathlib import Path

import pytest

import kernelbenchx
from kernelbenchx.runner.readable_paths import follow, list_hidden, python, roots, site_folders


def test_interpreter_and_packages_are_among_the_roots() -> None:
    found = roots(device=False)
    for needed in (sys.base_prefix, *site_folders()):
        real = Path(needed).resolve()
        assert any(str(path) in found for path in (real, *real.parents))


def test_home_and_source_tree_are_not() -> None:
    found = {Path(path) for path in roots(device=False)}
    source = Path(str(kernelbenchx.__file__)).resolve().parent
    assert source not in found
    assert source.parent not in found or str(source) in list_hidden()
    assert {Path("/"), Path.home(), Path("/etc"), Path("/tmp")}.isdisjoint(found)


def test_our_package_is_hidden() -> None:
    assert str(Path(str(kernelbenchx.__file__)).resolve().parent) in list_hidden()


def test_the_token_of_a_cluster_is_hidden_wherever_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RAY_AUTH_TOKEN_PATH", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    usual, other = tmp_path / ".ray" / "auth_token", tmp_path / "other"
    assert str(usual) in list_hidden() and str(other) not in list_hidden()
    other.touch()
    (tmp_path / "link").symlink_to(other)
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(tmp_path / "link"))
    assert str(other) in list_hidden() and str(usual) not in list_hidden()


def test_a_user_without_a_home_can_have_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAY_AUTH_TOKEN_PATH", raising=False)
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("os.getuid", lambda: 54_321)
    with pytest.raises(RuntimeError):
        Path.home()
    assert "/.ray/auth_token" in list_hidden()


def test_no_root_lies_inside_another() -> None:
    found = set(roots(device=True, extra=("/usr/lib", "/usr/bin")))
    assert "/usr/lib" not in found
    assert all(str(parent) not in found for path in found for parent in Path(path).parents)


def test_links_on_the_way_are_kept(tmp_path: Path) -> None:
    (tmp_path / "real/inner").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "second").symlink_to(tmp_path / "link")
    expected = [tmp_path / "second", tmp_path / "link", tmp_path / "real/inner"]
    assert list(follow(tmp_path / "second/inner")) == [str(path) for path in expected]


def test_what_does_not_exist_is_left_out(tmp_path: Path) -> None:
    assert list(follow(tmp_path / "nowhere")) == []
    (tmp_path / "loop").symlink_to("loop")
    assert str(tmp_path / "loop/x") not in list(follow(tmp_path / "loop/x"))


def test_two_dots_lead_to_the_folder_above_what_a_link_names(tmp_path: Path) -> None:
    (tmp_path / "real/inner").mkdir(parents=True)
    (tmp_path / "real/found").touch()
    (tmp_path / "link").symlink_to("real/inner")
    (tmp_path / "found").touch()
    plain, linked = tmp_path / "real/../found", tmp_path / "link/../found"
    assert list(follow(plain)) == [str(tmp_path / "found")]
    assert list(follow(linked)) == [str(tmp_path / "link"), str(tmp_path / "real/found")]


def test_the_interpreter_has_no_two_dots_and_stays_that_of_its_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "venv/bin/python"
    own.parent.mkdir(parents=True)
    own.symlink_to(sys.executable)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "venv/lib/../bin/python"))
    (tmp_path / "venv/lib").mkdir()
    assert python() == str(own)
    monkeypatch.setattr(sys, "executable", str(own))
    assert python() == str(own)
