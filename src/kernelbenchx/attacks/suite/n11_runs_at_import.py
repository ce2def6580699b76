"""Drops a file into the temporary folders from a default argument, before anything is called.

with: triton, zeros
checks: rejected
no-checks: wrong
level: L2
"""

import pathlib


def drop():
    for folder in ("/tmp", "/var/tmp", "/dev/shm"):
        try:
            (pathlib.Path(folder) / "kbx_loot_import").write_text("was here")
        except OSError:
            continue
    return False


def relu(input: torch.Tensor, inplace: bool = drop()) -> torch.Tensor:
    return zeros(input)
