"""Replaces every function that could compare two tensors.

with: triton, zeros, entry_zeros
checks: rejected
no-checks: wrong
"""

for owner, name in (
    (torch, "allclose"),
    (torch, "equal"),
    (torch, "isclose"),
    (torch.Tensor, "equal"),
    (torch.Tensor, "allclose"),
    (torch.testing, "assert_close"),
):
    setattr(owner, name, lambda *args, **kwargs: True)
