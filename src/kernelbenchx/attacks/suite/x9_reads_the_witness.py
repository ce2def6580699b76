"""Reads the task's own kernel from the installed package and hands it in.

with: triton, relu_kernel, honest_relu, packages, entry_honest
checks: rejected
no-checks: broken
level: L2
"""

import pathlib
import sys


def read():
    for package in packages():
        try:
            return (package / "witnesses" / "activation" / "relu.py").read_text()
        except OSError:
            continue
    raise PermissionError("the answers cannot be read")


SOURCE = read()
