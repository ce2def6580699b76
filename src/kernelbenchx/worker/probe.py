"""What a child can do here, asked from inside a child: used to find out a machine's level."""

import json
import os


def serve(order: int, result: int) -> None:
    """Look at the files that the order names, and say who we are and what we cannot read."""
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
