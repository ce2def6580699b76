"""Leaves modules with the names of the worker's own in its folder.

with: triton, zeros, entry_zeros
checks: rejected
no-checks: wrong
"""

import os
import sys

for name in ("torch", "triton", "numpy", "json", "worker", "kernelbenchx"):
    with open(name + ".py", "w") as file:
        file.write("raise SystemExit(0)")
sys.path.insert(0, os.getcwd())
