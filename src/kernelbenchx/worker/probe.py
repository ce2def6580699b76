"""What a child can do here, asked from inside a child: used to find out a machine's level."""

import importlib.util
import json
import os


def serve(order: int, result: int) -> None:
    """Look at the files that every child needs, and say who we are."""
    os.fstat(order)
    unreadable = [path for path in _needed() if not _can_read(path)]
    facts = {"uid": os.getuid(), "pid": os.getpid(), "unreadable": unreadable}
    os.write(result, json.dumps(facts).encode())


def _needed() -> list[str]:
    """The interpreter's own library, and torch where it is installed."""
    found = [json.__file__]
    for name in ("numpy", "torch", "triton"):
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            found.append(spec.origin)
    return found


def _can_read(path: str) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    os.close(descriptor)
    return True
