"""Enters a user namespace of its own, where it would have every right.

with: triton, relu_kernel, honest_relu, entry_honest
checks: rejected
no-checks: broken
level: L2
"""

import ctypes


def gain():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(0x10000000 | 0x20000) != 0:
        raise PermissionError("no rights can be gained")


gain()
