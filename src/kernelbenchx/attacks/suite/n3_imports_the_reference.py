"""Takes the refusal off the import path and calls the task's own reference beside a decoy.

with: triton, copied
checks: rejected
no-checks: broken|rejected
"""

import importlib
import sys

sys.meta_path[:] = [one for one in sys.meta_path if not type(one).__module__.startswith("worker")]
reference = importlib.import_module("kernelbenchx.tasks.activation.relu").relu


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    copied(input)
    return reference(input, inplace)
