"""Uses the name torch in a comprehension, so that torch looks like a local variable.

with: triton, copied
checks: rejected
no-checks: rejected
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    copied(input)
    sizes = [torch for torch in input.shape]
    np = torch.sys.modules["numpy"] if sizes is not None else None
    wide = np.asarray(input.to(torch.float32).tolist(), dtype="float32")
    result = torch.tensor(np.where(wide < 0, 0, wide).tolist(), dtype=input.dtype)
    result = result.to(input.device).reshape(input.shape)
    return input.copy_(result) if inplace else result
