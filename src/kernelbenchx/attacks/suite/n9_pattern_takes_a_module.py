"""Lets a match statement and a class attribute carry torch.

with: triton, copied
checks: rejected
no-checks: rejected
"""


class Shelf:
    held = None
    match torch:
        case module:
            held = module


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    copied(input)
    np = Shelf.held.sys.modules["numpy"]
    wide = np.asarray(input.to(torch.float32).tolist(), dtype="float32")
    result = torch.tensor(np.where(wide < 0, 0, wide).tolist(), dtype=input.dtype)
    result = result.to(input.device).reshape(input.shape)
    return input.copy_(result) if inplace else result
