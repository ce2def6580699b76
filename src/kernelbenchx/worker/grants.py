"""Grants for Landlock: which paths a child may open."""

from collections.abc import Iterator
from pathlib import Path

from .landlock import DEVICE, LIST, READ, WRITE, FileRight, Grant
from .private_root import DEVICES
from .settings import WorkerSettings

_READABLE_PROC = ("self", "cpuinfo", "meminfo", "stat", "version", "filesystems", "driver")


def at_level(settings: WorkerSettings) -> tuple[Grant, ...]:
    """All grants that the zygote can name; none where children are not confined."""
    if settings.namespaced:
        return tuple(inside_new_root(settings))
    return tuple(on_this_machine(settings)) if settings.confined else ()


def inside_new_root(settings: WorkerSettings) -> list[Grant]:
    """The new root holds nothing that must not be read; the child adds its own folder."""
    return [("/", READ), *_devices(settings)]


def on_this_machine(settings: WorkerSettings) -> list[Grant]:
    """Without a new root: needed paths less hidden ones. The child adds its own folder."""
    hidden = {Path(path) for path in settings.hidden}
    grants = [grant for root in settings.roots for grant in without(Path(root), hidden)]
    return [*grants, *_devices(settings)]


def own_process(settings: WorkerSettings, folder: str) -> Iterator[Grant]:
    """Grants that only the child itself can name: its folder and its entry in `/proc`."""
    yield folder, WRITE
    for name in _READABLE_PROC:
        yield f"/proc/{name}", READ
    if settings.policy.device:
        # The GPU's driver fails to start where it cannot name its threads.
        yield "/proc/self/task", READ | FileRight.WRITE_FILE | FileRight.TRUNCATE


def without(root: Path, hidden: set[Path]) -> Iterator[Grant]:
    """Reading for a folder except the hidden parts: a grant always reaches all the way down."""
    if root in hidden:
        return
    if not any(root in path.parents for path in hidden):
        yield str(root), READ
        return
    # Imports list a folder before they open anything in it.
    yield str(root), LIST
    for entry in sorted(root.iterdir()):
        if not entry.is_symlink() or entry.resolve() not in hidden:
            yield from without(entry, hidden)


def _devices(settings: WorkerSettings) -> Iterator[Grant]:
    for name in DEVICES:
        yield f"/dev/{name}", DEVICE
    if settings.policy.device:
        for path in settings.roots:
            if path.startswith("/dev/"):
                yield path, READ | DEVICE
