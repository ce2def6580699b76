"""Kills the process that started it.

with: triton, relu_kernel, honest_relu, entry_honest
checks: rejected
no-checks: broken
level: L2
"""

import os
import signal

if os.getppid() <= 1:
    raise ProcessLookupError("no parent is to be seen")
os.kill(os.getppid(), signal.SIGKILL)
