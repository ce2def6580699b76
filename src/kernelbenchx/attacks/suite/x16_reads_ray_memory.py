"""Reads the shared memory in which a Ray node keeps objects.

with: triton, relu_kernel, honest_relu, entry_honest
checks: rejected
no-checks: broken
level: L2
"""

import glob
import os


def paths():
    yield from glob.glob("/dev/shm/*plasma*")
    for path in glob.glob("/proc/[0-9]*/fd/*"):
        try:
            if "plasma" in os.readlink(path):
                yield path
        except OSError:
            continue


def reads(path):
    try:
        with open(path, "rb") as file:
            return len(file.read(1)) == 1
    except OSError:
        return False


if not any(map(reads, paths())):
    raise PermissionError("no shared memory can be read")
