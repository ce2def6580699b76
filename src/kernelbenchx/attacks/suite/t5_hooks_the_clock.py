"""Makes the C library's clock writable, as a hook would, and puts back what was there.

with: triton, relu_kernel, honest_relu_by_launch, entry_honest
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed|timed
gains: no
"""

import ctypes


def reach_the_clock():
    libc = ctypes.CDLL(None)
    address = ctypes.cast(libc.clock_gettime, ctypes.c_void_p).value
    page = ctypes.c_void_p(address & ~4095)
    read, write, execute = 1, 2, 4
    if libc.mprotect(page, 8192, read | write | execute) == 0:
        ctypes.memmove(address, ctypes.string_at(address, 1), 1)
        libc.mprotect(page, 8192, read | execute)


reach_the_clock()
