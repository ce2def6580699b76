"""Carries torch through a list, a default argument and a lambda to lose its name.

with: triton, copied
checks: rejected
no-checks: rejected
"""


def take(key, shelf=[torch]):
    return (lambda *held: held[0])(*shelf) if key in range(1) else None


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    copied(input)
    np = take(0).sys.modules["numpy"]
    wide = np.asarray(input.to(torch.float32).tolist(), dtype="float32")
    result = torch.tensor(np.where(wide < 0, 0, wide).tolist(), dtype=input.dtype)
    result = result.to(input.device).reshape(input.shape)
    return input.copy_(result) if inplace else result
