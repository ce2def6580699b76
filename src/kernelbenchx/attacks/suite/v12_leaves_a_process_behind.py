"""Starts a process of its own session that outlives the run.

with: triton, relu_kernel, honest_relu, entry_honest
checks: rejected
no-checks: broken
"""

import os
import time


def stay():
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    with open("/proc/self/comm", "w") as file:
        file.write("kbx-survivor")
    for descriptor in range(64):
        try:
            os.close(descriptor)
        except OSError:
            continue
    time.sleep(60)
    os._exit(0)


stay()
time.sleep(0.2)
raise RuntimeError("the other one stays")
