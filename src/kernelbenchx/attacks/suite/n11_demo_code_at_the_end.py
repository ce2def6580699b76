"""Rebinds its entry in what looks like demo code at the end of the file.

with: triton, copied
checks: rejected
no-checks: rejected
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = copied(input)
    return input.copy_(y) if inplace else y


x = torch.zeros(4)
if __name__ != "__main__":
    import numpy as np

    def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
        copied(input)
        wide = np.asarray(input.to(torch.float32).tolist(), dtype="float32")
        result = torch.tensor(np.where(wide < 0, 0, wide).tolist(), dtype=input.dtype)
        result = result.to(input.device).reshape(input.shape)
        return input.copy_(result) if inplace else result
