"""Entries of a cache on their way from one folder to another."""

import json
from pathlib import Path
from typing import Any

import pytest

from kernelbenchx.worker import triton_cache
from kernelbenchx.worker.frames import Frame, pack, unpack
from kernelbenchx.worker.triton_cache import NewCacheEntries, place

KEY, OTHER = "ABC234", "XYZ567"


def _entry(folder: Path, key: str, *names: str) -> None:
    where = folder / key
    where.mkdir(parents=True)
    for name in names:
        (where / name).write_bytes(name.encode() * 3)
    paths = {name: str(where / name) for name in names}
    (where / "__grp__k.json").write_text(json.dumps({"child_paths": paths}))


def _frames(fresh: NewCacheEntries) -> list[Frame]:
    return list(unpack(b"".join(fresh.frames())))


def _made(*files: tuple[Any, bytes], kind: str = "compiled") -> Frame:
    header = {"kind": kind, "files": [[name, len(data)] for name, data in files]}
    (frame,) = unpack(pack(header, b"".join(data for _, data in files)))
    return frame


def _found(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_an_entry_arrives_with_paths_of_its_new_place(tmp_path: Path) -> None:
    fresh = NewCacheEntries(tmp_path / "a")
    _entry(tmp_path / "a", KEY, "k.json", "k.cubin")
    place(_frames(fresh), tmp_path / "b")
    there = tmp_path / "b" / KEY
    assert (there / "k.cubin").read_bytes() == b"k.cubin" * 3
    group = json.loads((there / "__grp__k.json").read_text())
    names = ("k.cubin", "k.json")
    assert group == {"child_paths": {name: str(there / name) for name in names}}


def test_what_is_complete_is_told_once_and_what_is_not_later(tmp_path: Path) -> None:
    _entry(tmp_path, "OLD", "k.json")
    fresh = NewCacheEntries(tmp_path)
    assert _frames(fresh) == []
    _entry(tmp_path, KEY, "k.json")
    (tmp_path / OTHER / "tmp.pid_1").mkdir(parents=True)
    (tmp_path / OTHER / "k.ttir").write_text("on its way")
    assert [frame.header["files"][0][0] for frame in _frames(fresh)] == [f"{KEY}/__grp__k.json"]
    assert _frames(fresh) == []
    (tmp_path / OTHER / "__grp__k.json").write_text("{}")
    assert len(_frames(fresh)) == 1


def test_a_module_is_an_entry_of_one_file(tmp_path: Path) -> None:
    fresh = NewCacheEntries(tmp_path / "a")
    (tmp_path / "a" / KEY).mkdir(parents=True)
    (tmp_path / "a" / KEY / "__triton_launcher.cpython-311.so").write_bytes(b"\x7fELF")
    place(_frames(fresh), tmp_path / "b")
    assert _found(tmp_path / "b") == {f"{KEY}/__triton_launcher.cpython-311.so"}


def test_entries_for_which_there_is_no_room_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(triton_cache, "MOST_BYTES", 1000)
    fresh = NewCacheEntries(tmp_path)
    for key, size in (("A", 600), ("B", 600), ("C", 300)):
        _entry(tmp_path, key)
        (tmp_path / key / "__grp__k.json").write_bytes(b"." * size)
    assert [frame.header["files"][0][0][0] for frame in _frames(fresh)] == ["A", "C"]


@pytest.mark.parametrize(
    "name",
    ["../x", f"{KEY}/../x", f"{KEY}/a/b", f"{KEY}/", KEY, "/etc/x", "..", f"{KEY}/.x", "abc/x", 5,
     f"{KEY}/{'x' * 300}", f"{KEY}/a\nb"],
)  # fmt: skip
def test_a_name_that_is_none_leaves_its_frame_out(tmp_path: Path, name: Any) -> None:
    folder = tmp_path / "cache"
    place([_made((f"{KEY}/good", b"1"), (name, b"2")), _made((f"{OTHER}/fine", b"3"))], folder)
    assert _found(tmp_path) == {f"cache/{OTHER}/fine"}


@pytest.mark.parametrize(
    "header",
    [
        {"kind": "compiled", "files": [[f"{KEY}/x", 4]]},
        {"kind": "compiled", "files": [[f"{KEY}/x", 2]]},
        {"kind": "compiled", "files": [[f"{KEY}/x", 4], [f"{KEY}/y", -1]]},
        {"kind": "compiled", "files": [[f"{KEY}/x"]]},
        {"kind": "compiled"},
        {"kind": "call", "files": [[f"{KEY}/x", 3]]},
    ],
)
def test_a_frame_that_makes_no_sense_is_left_out(tmp_path: Path, header: dict[str, Any]) -> None:
    place(unpack(pack(header, b"123")), tmp_path)
    assert _found(tmp_path) == set()
    place(unpack(pack({"kind": "compiled", "files": [[f"{KEY}/x", 3]]}, b"123")), tmp_path)
    assert _found(tmp_path) == {f"{KEY}/x"}


@pytest.mark.parametrize("group", [b"{", b"[]", b'{"child_paths": {"../x": ""}}', b'{"a": 1}'])
def test_a_broken_group_is_never_written(tmp_path: Path, group: bytes) -> None:
    place([_made((f"{KEY}/__grp__k.json", group), (f"{KEY}/k.json", b"{}"))], tmp_path)
    assert f"{KEY}/__grp__k.json" not in _found(tmp_path)


def test_nothing_is_written_over_or_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("kept")
    (tmp_path / "b" / KEY).mkdir(parents=True)
    (tmp_path / "b" / KEY / "x").symlink_to(tmp_path / "secret")
    place([_made((f"{KEY}/x", b"1")), _made((f"{OTHER}/x", b"1"))], tmp_path / "b")
    place([_made((f"{OTHER}/x", b"2"))], tmp_path / "b")
    assert (tmp_path / "secret").read_text() == "kept"
    assert (tmp_path / "b" / OTHER / "x").read_text() == "1"
