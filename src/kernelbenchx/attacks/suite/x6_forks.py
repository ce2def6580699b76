"""Starts processes until it is stopped.

with: triton, relu_kernel, honest_relu, entry_honest
checks: rejected
no-checks: broken
"""

import os
import time

for _ in range(200):
    if os.fork() == 0:
        time.sleep(20)
        os._exit(0)
time.sleep(2)
