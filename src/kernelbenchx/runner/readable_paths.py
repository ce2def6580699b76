"""What a worker may read: the system, the interpreter, installed packages; and what it may not."""

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

_SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/libx32", "/bin", "/sbin")
_ETC = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "nsswitch.conf")
_KERNEL = ("/sys/devices/system/cpu", "/sys/devices/system/node")
# For a GPU: the driver's device files and what it reads about the machine.
_GPU = ("dev/nvidia*", "sys", "etc/nvidia", "usr/local/nvidia", "usr/local/cuda*")
_MOST_LINKS = 40


def site_folders() -> tuple[str, ...]:
    """Folders of installed packages on this process's path; never a source tree."""
    names = ("site-packages", "dist-packages")
    found = [str(Path(entry).resolve()) for entry in sys.path if Path(entry).name in names]
    return tuple(dict.fromkeys(found))


def roots(*, device: bool, extra: Iterable[str] = ()) -> tuple[str, ...]:
    """Files, folders and links for a worker, none inside another."""
    wanted = [*_SYSTEM, *(f"/etc/{name}" for name in _ETC), *_KERNEL]
    wanted += [sys.prefix, sys.base_prefix, python(), *site_folders(), *extra]
    if device:
        wanted += [str(path) for pattern in _GPU for path in sorted(Path("/").glob(pattern))]
    expanded = {path for each in wanted for path in follow(Path(each))}
    return tuple(sorted(path for path in expanded if not _is_covered(path, expanded)))


def list_hidden() -> tuple[str, ...]:
    """The harness, wherever it is installed (it holds the answers), and a cluster's token."""
    package = Path(__file__).resolve().parents[1]
    installed = [Path(folder) / package.name for folder in site_folders()]
    found = [path for path in (package, *installed) if path.exists()]
    return tuple(dict.fromkeys(str(path) for path in (*found, ray_token_file().resolve())))


def ray_token_file() -> Path:
    """Where Ray looks for its token, unless a variable holds the token itself."""
    if named := os.environ.get("RAY_AUTH_TOKEN_PATH"):
        return Path(named)
    try:
        home = Path.home()
    except RuntimeError:  # a user that this machine does not know
        home = Path("/")
    return home / ".ray" / "auth_token"


def follow(path: Path) -> Iterator[str]:
    """Every symbolic link on the way to a path, and the real path at its end."""
    found, rest, links = Path("/"), list(path.absolute().parts[1:]), 0
    while rest:
        part = rest.pop(0)
        # Only now: a link before it is another folder's entry, and so is its parent.
        found = found.parent if part == ".." else found / part
        if not found.is_symlink():
            continue
        yield str(found)
        links += 1
        if links > _MOST_LINKS:
            return
        target = found.parent / found.readlink()
        found, rest = Path("/"), [*target.parts[1:], *rest]
    if found.exists():
        yield str(found)


def python() -> str:
    """This interpreter by a path without `..`: a child's root has none of the folders before it."""
    path = Path(sys.executable)
    return str(path.parent.resolve() / path.name) if ".." in path.parts else sys.executable


def _is_covered(path: str, others: set[str]) -> bool:
    """Lies inside another root that is bound as a whole."""
    return any(str(parent) in others for parent in Path(path).parents)
