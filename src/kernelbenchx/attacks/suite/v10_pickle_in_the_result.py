"""Answers with bytes that would run code if somebody unpickled them.

with: triton, zeros
checks: rejected
no-checks: broken
"""

import os
import pickle


class Bomb:
    def __reduce__(self):
        return (open, ("/tmp/kbx_loot_pickle", "w"))


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    zeros(input)
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, pickle.dumps(Bomb()))
        except OSError:
            continue
    return Bomb()
