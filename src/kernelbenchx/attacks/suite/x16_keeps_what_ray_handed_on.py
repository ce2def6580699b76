"""Looks for what a Ray worker would hand on: variables, descriptors and mapped memory.

with: triton, relu_kernel, honest_relu, entry_honest
checks: rejected
no-checks: broken
"""

import os


def handed_on():
    yield from (name for name in os.environ if name.startswith("RAY_"))
    for number in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink(f"/proc/self/fd/{number}")
        except OSError:
            continue
        yield "plasma" in target or "/ray/session_" in target
    with open("/proc/self/maps") as file:
        yield any("plasma" in line or "/ray/session_" in line for line in file)


if not any(handed_on()):
    raise PermissionError("nothing was handed on")
