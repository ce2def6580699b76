"""Prints tens of megabytes.

with: triton, relu_kernel, honest_relu, entry_honest
checks: rejected
no-checks: broken
"""

import sys

for _ in range(40):
    sys.stdout.write("x" * (1 << 20))
sys.stdout.flush()
