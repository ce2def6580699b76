"""Reads the memory of a process of the same user.

with: triton, relu_kernel, honest_relu, bystander, entry_honest
checks: rejected
no-checks: broken
level: L2
"""

import ctypes
import pathlib


def enter(pid):
    libc = ctypes.CDLL(None, use_errno=True)
    maps = pathlib.Path(f"/proc/{pid}/maps").read_text().splitlines()
    start = int(maps[0].partition("-")[0], 16)
    with open(f"/proc/{pid}/mem", "rb") as file:
        file.seek(start)
        if len(file.read(64)) == 64:
            return
    kept = ctypes.create_string_buffer(64)
    pieces = (ctypes.c_void_p * 4)(ctypes.addressof(kept), 64, start, 64)
    if libc.process_vm_readv(pid, pieces, 1, ctypes.byref(pieces, 16), 1, 0) != 64:
        raise PermissionError("no memory of others can be read")


enter(bystander())
