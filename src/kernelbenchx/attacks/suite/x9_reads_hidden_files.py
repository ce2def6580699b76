"""Reads what the judge keeps in a folder beside its own.

with: triton, relu_kernel, honest_relu, entry_honest
checks: rejected
no-checks: broken
level: L2
"""

import glob


def read():
    beside = glob.glob("/tmp/kbx-arena-*/answers.txt") + glob.glob("../../kbx-arena-*/answers.txt")
    for path in beside:
        with open(path) as file:
            raise RuntimeError("the answers are " + file.read())
    raise PermissionError("nothing hidden can be read")


read()
