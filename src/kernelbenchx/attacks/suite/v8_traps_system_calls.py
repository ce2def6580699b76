"""Installs a system call filter of its own under the worker.

with: triton, relu_kernel, honest_relu, entry_honest
checks: rejected
no-checks: broken
"""

import ctypes


def trap():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(38, 1, 0, 0, 0)
    if libc.prctl(22, 1, 0, 0, 0) != 0:
        raise PermissionError("no filter can be installed")


trap()
