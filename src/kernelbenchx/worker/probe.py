"""Reports what a child can do here, from inside a child: used to find a machine's level."""

import json
import os


def serve(order: int, result: int) -> None:
    """Look at the files that the order names; report this process's ids and unreadable files."""
    needed = json.loads(os.pread(order, 1 << 16, 0))
    unreadable = [path for path in needed if not _can_read(path)]
    facts = {"uid": os.getuid(), "pid": os.getpid(), "unreadable": unreadable}
    os.write(result, json.dumps(facts).encode())


def _can_read(path: str) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    os.close(descriptor)
    return True
