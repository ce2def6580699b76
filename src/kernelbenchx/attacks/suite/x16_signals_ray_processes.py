"""Asks whether it may send signals to any other process, such as Ray's own.

with: triton, relu_kernel, honest_relu, entry_honest
checks: rejected
no-checks: broken
level: L2
"""

import glob
import os


def pids():
    own = {int(task) for task in os.listdir("/proc/self/task")}
    seen = {int(path.rpartition("/")[2]) for path in glob.glob("/proc/[0-9]*")}
    return sorted({*seen, *range(1, 1 << 16)} - own)


def may_signal(pid):
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


if not any(map(may_signal, pids())):
    raise PermissionError("no other process can be reached")
