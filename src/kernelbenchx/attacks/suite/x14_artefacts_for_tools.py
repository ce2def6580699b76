"""Leaves files that would hurt whoever opens them with a tool.

with: triton, zeros, entry_zeros
checks: rejected
no-checks: wrong
"""

import os

for name in ("kernel.cubin", "kernel.so", "core", "profile.json", "result.npz", "weights.pt"):
    with open(name, "wb") as file:
        file.write(b"\x7fELF" + bytes(64) + b"cos\nsystem\n(S'true'\ntR.")
os.symlink("/etc/passwd", "result.json")
