"""Calls a parameter `__name__`, so that its real work looks like a part that never runs.

with: triton, copied
checks: rejected
no-checks: rejected
"""


def relu(input: torch.Tensor, inplace: bool = False, __name__: str = "__main__") -> torch.Tensor:
    copied(input)
    if __name__ == "__main__":
        import numpy as np

        wide = np.asarray(input.to(torch.float32).tolist(), dtype="float32")
        result = torch.tensor(np.where(wide < 0, 0, wide).tolist(), dtype=input.dtype)
        result = result.to(input.device).reshape(input.shape)
        return input.copy_(result) if inplace else result
