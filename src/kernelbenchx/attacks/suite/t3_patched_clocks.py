"""Slows every clock of Python down to a tenth.

with: triton, relu_kernel, honest_relu_by_launch, entry_honest
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed|timed
gains: no
flag: the clock in the submission's process says
"""

import time


def slowed(clock):
    began = clock()
    return lambda: began + (clock() - began) / 10


def slowed_ns(clock):
    began = clock()
    return lambda: began + (clock() - began) // 10


time.perf_counter, time.monotonic = slowed(time.perf_counter), slowed(time.monotonic)
time.time, time.process_time = slowed(time.time), slowed(time.process_time)
time.perf_counter_ns, time.monotonic_ns = (
    slowed_ns(time.perf_counter_ns),
    slowed_ns(time.monotonic_ns),
)
clock_gettime = time.clock_gettime
time.clock_gettime = lambda clock: clock_gettime(clock) / 10
