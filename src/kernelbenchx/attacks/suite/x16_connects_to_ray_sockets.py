"""Connects to the sockets of a Ray node, by their paths.

with: triton, relu_kernel, honest_relu, entry_honest
checks: rejected
no-checks: broken
level: L2
"""

import glob
import socket


def paths():
    for root in ("/tmp", "../.."):
        yield from glob.glob(root + "/ray/session_*/sockets/*")
        yield from glob.glob(root + "/kbx-*/ray/session_*/sockets/*")
    try:
        with open("/proc/net/unix") as file:
            named = [line.split()[7] for line in file if len(line.split()) > 7]
    except OSError:
        named = []
    yield from (path for path in named if "/session_" in path)


def connects(path):
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(path)
    except OSError:
        return False
    return True


if not any([*map(connects, paths())]):
    raise PermissionError("no socket of a cluster can be reached")
