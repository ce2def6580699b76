"""Makes more files in its folder than it may.

with: triton, relu_kernel, honest_relu, entry_honest
checks: rejected
no-checks: broken
"""

import time

for number in range(25000):
    open(f"file{number}", "w").close()
time.sleep(2)
