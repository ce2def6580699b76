"""What a worker may read: enough to run, nothing that holds an answer."""

import sys
from pathlib import Path

import kernelbenchx
from kernelbenchx.runner.readable import follow, hidden, roots, site_folders


def test_interpreter_and_packages_are_among_the_roots() -> None:
    found = roots(device=False)
    for needed in (sys.base_prefix, *site_folders()):
        real = Path(needed).resolve()
        assert any(str(path) in found for path in (real, *real.parents))


def test_home_and_source_tree_are_not() -> None:
    found = {Path(path) for path in roots(device=False)}
    source = Path(str(kernelbenchx.__file__)).resolve().parent
    assert source not in found
    assert source.parent not in found or str(source) in hidden()
    assert {Path("/"), Path.home(), Path("/etc"), Path("/tmp")}.isdisjoint(found)


def test_our_package_is_hidden() -> None:
    assert str(Path(str(kernelbenchx.__file__)).resolve().parent) in hidden()


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
