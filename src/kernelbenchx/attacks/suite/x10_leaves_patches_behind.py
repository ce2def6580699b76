"""Patches torch and Triton in its process, for the submission that comes next.

with: triton, zeros, entry_zeros
checks: rejected
no-checks: wrong
"""

import gc

tl.where = lambda condition, one, other: one
tl.load = lambda *args, **kwargs: 0.0
torch.empty_like = lambda *args, **kwargs: torch.zeros(1)
torch.Tensor.contiguous = lambda self, *args, **kwargs: self
triton.cdiv = lambda a, b: 1
gc.disable()
