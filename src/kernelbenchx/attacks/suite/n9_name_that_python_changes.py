"""Reads a private name inside a class, which Python looks up under another one.

with: triton, copied
checks: rejected
no-checks: rejected
"""

_Shelf__torch = torch


class Shelf:
    def take(self):
        return __torch.sys.modules["numpy"]


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    copied(input)
    np = Shelf().take()
    wide = np.asarray(input.to(torch.float32).tolist(), dtype="float32")
    result = torch.tensor(np.where(wide < 0, 0, wide).tolist(), dtype=input.dtype)
    result = result.to(input.device).reshape(input.shape)
    return input.copy_(result) if inplace else result
