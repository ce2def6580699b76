"""Reads the folder where a Ray node keeps its ports, its logs and other code.

with: triton, relu_kernel, honest_relu, entry_honest
checks: rejected
no-checks: broken
level: L2
"""

import glob


def paths():
    for root in ("/tmp", "../.."):
        yield root + "/ray/ray_current_cluster"
        yield from glob.glob(root + "/ray/session_*/*")
        yield from glob.glob(root + "/ray/session_*/logs/*")
        yield from glob.glob(root + "/kbx-*/ray/session_*/*")


def reads(path):
    try:
        with open(path, "rb") as file:
            file.read(1)
    except OSError:
        return False
    return True


if not any(map(reads, paths())):
    raise PermissionError("no session can be read")
