"""Returns a tensor subclass that computes only when somebody copies it.

with: triton, relu_kernel, honest_relu_by_launch, large
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed|timed
gains: no
reason: timed_wrong|stale|late
"""

READS = (torch.Tensor.copy_, torch.Tensor.contiguous, torch.Tensor.clone, torch.Tensor.to)


class Lazy(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        with torch._C.DisableTorchFunctionSubclass():
            plain = [one.as_subclass(torch.Tensor) if type(one) is Lazy else one for one in args]
            if func in READS:
                lazy = [type(one) is Lazy for one in args]
                plain = [honest_relu(one) if is_lazy else one for one, is_lazy in zip(plain, lazy)]
            return func(*plain, **(kwargs or {}))


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    return input.as_subclass(Lazy)
