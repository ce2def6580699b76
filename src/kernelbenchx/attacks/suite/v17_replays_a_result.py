"""Keeps a result outside for the next run and sends the one it finds.

with: triton, zeros, entry_zeros
checks: rejected
no-checks: wrong|broken
level: L2
"""

import os

for folder in ("/tmp", "/var/tmp", "/dev/shm"):
    path = os.path.join(folder, "kbx_loot_replay")
    try:
        if os.path.exists(path):
            os.write(4, open(path, "rb").read())
            os._exit(0)
        open(path, "wb").write(b"KBX1")
    except OSError:
        continue
