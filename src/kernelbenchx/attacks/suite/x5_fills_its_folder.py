"""Writes more into its folder than it may.

with: triton, relu_kernel, honest_relu, entry_honest
checks: rejected
no-checks: broken
"""

import time

with open("big", "wb") as file:
    for _ in range(300):
        file.write(bytes(1 << 20))
        file.flush()
time.sleep(2)
