"""Triton's cache as frames: what one process compiled, another finds compiled.

A frame holds one folder of the cache, a kernel or a module. What is wrong with a frame costs its
receiver the time to compile, and nothing else.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from .frames import Frame, pack

KIND = "compiled"
OBSTACLE = "obstacle"
KERNELS = "kernels"
"""Kinds of frames: files of the cache, why launches cannot be replayed, what kernels need."""
MOST_BYTES = 64 << 20
"""Of all entries of one submission."""
_KEY = re.compile(r"[A-Z2-7]{1,64}")
_GROUP, _MODULE = "__grp__", ".so"
_LONGEST = 255


def cache_folder() -> Path:
    """Where Triton keeps what this process compiles."""
    return Path(os.environ["TRITON_CACHE_DIR"])


class NewCacheEntries:
    """New entries of a cache, each reported once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._left = MOST_BYTES
        self._told = set(_complete(folder))

    def frames(self) -> Iterator[bytes]:
        """The frames of entries that are complete since the last time, as far as there is room."""
        for key, files in _complete(self._folder).items():
            if key in self._told:
                continue
            self._told.add(key)
            held = [(f"{key}/{path.name}", path.read_bytes()) for path in files]
            size = sum(len(data) for _, data in held)
            if size <= self._left:
                self._left -= size
                names = [[name, len(data)] for name, data in held]
                yield pack({"kind": KIND, "files": names}, b"".join(data for _, data in held))


def _complete(folder: Path) -> dict[str, list[Path]]:
    """Complete entries by key: Triton writes a group last, and moves every file into its place."""
    found: dict[str, list[Path]] = {}
    for entry in sorted(folder.iterdir()) if folder.is_dir() else ():
        files = sorted(path for path in entry.iterdir() if path.is_file()) if entry.is_dir() else []
        if any(one.name.startswith(_GROUP) or one.suffix == _MODULE for one in files):
            found[entry.name] = files
    return found


def place(frames: Iterable[Frame], folder: Path) -> None:
    """Put entries where Triton will look for them; a frame that makes no sense is left out."""
    for frame in frames:
        with suppress(Exception):
            _place(_files(frame), folder)


def _place(files: dict[tuple[str, str], bytes], folder: Path) -> None:
    # A group names the others, so that it comes last: there is no entry without its files.
    for (key, name), data in sorted(files.items(), key=lambda one: one[0][1].startswith(_GROUP)):
        where = folder / key
        where.mkdir(parents=True, exist_ok=True)
        _write(where / name, _relocate_group(data, where) if name.startswith(_GROUP) else data)


def _files(frame: Frame) -> dict[tuple[str, str], bytes]:
    found, start = {}, 0
    for path, size in frame.header["files"]:
        data = bytes(frame.payload[start : start + size])
        if size < 0 or len(data) != size:
            raise ValueError("a file lies outside its frame")
        key, _, name = path.partition("/")
        if not _KEY.fullmatch(key) or not _plain(name):
            raise ValueError(f"no name in a cache: {path[:80]!r}")
        found[key, name] = data
        start += size
    if frame.header["kind"] != KIND or start != len(frame.payload):
        raise ValueError("a frame holds something else")
    return found


def _plain(name: str) -> bool:
    return (
        name.isprintable()
        and "/" not in name
        and name[:1] not in ("", ".")
        and len(name.encode()) <= _LONGEST
    )


def _relocate_group(group: bytes, where: Path) -> bytes:
    """A kernel's group with the paths of this process: Triton writes them in full."""
    names = json.loads(group)["child_paths"]
    if not all(isinstance(name, str) and _plain(name) for name in names):
        raise ValueError("a group names files elsewhere")
    return json.dumps({"child_paths": {name: str(where / name) for name in names}}).encode()


def _write(path: Path, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(data)
