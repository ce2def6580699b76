"""Replaces every function that waits for the card by one that does not.

with: triton, relu_kernel, honest_relu_by_launch, entry_honest
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed|timed
gains: no
"""


def at_once(*_, **__):
    return None


torch.cuda.synchronize = at_once
torch.cuda.Stream.synchronize = at_once
torch.cuda.Event.synchronize = at_once
