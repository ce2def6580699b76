"""Kills a process of the same user that has nothing to do with it.

with: triton, relu_kernel, honest_relu, bystander, entry_honest
checks: rejected
no-checks: broken
level: L2
"""

import os
import pathlib
import signal

os.kill(bystander(), signal.SIGKILL)
