"""Binds `eval` in a branch that never runs, so that the builtin looks like its own name.

with: triton, copied
checks: rejected
no-checks: rejected
"""

if not torch.is_tensor:
    eval = len


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    copied(input)
    np = eval("__import__('numpy')")
    wide = np.asarray(input.to(torch.float32).tolist(), dtype="float32")
    result = torch.tensor(np.where(wide < 0, 0, wide).tolist(), dtype=input.dtype)
    result = result.to(input.device).reshape(input.shape)
    return input.copy_(result) if inplace else result
