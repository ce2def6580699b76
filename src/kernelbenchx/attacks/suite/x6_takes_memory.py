"""Takes memory until it is stopped.

with: triton, relu_kernel, honest_relu, entry_honest
checks: rejected
no-checks: broken
"""

import os
import time

KEPT = [bytearray(os.urandom(1 << 20) * 64) for _ in range(48)]
time.sleep(2)
