"""Takes torch from an AttributeError, where its name is lost.

with: triton, copied
checks: rejected
no-checks: rejected
"""


def outside():
    try:
        return torch.no_such_name
    except AttributeError as error:
        return error.obj


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    copied(input)
    np = outside().sys.modules["numpy"]
    wide = np.asarray(input.to(torch.float32).tolist(), dtype="float32")
    result = torch.tensor(np.where(wide < 0, 0, wide).tolist(), dtype=input.dtype)
    result = result.to(input.device).reshape(input.shape)
    return input.copy_(result) if inplace else result
