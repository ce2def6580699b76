"""Sigmoid of a batch normalization: 1 / (1 + exp(-z)), with z = batch_norm(input, ..).

input is (N, C) or (N, C, d1, .., dk); z = (x - m) / sqrt(v + eps) * weight + bias with m, v, weight
and bias per channel (dimension 1). weight None stands for 1, bias None for 0. running_mean,
running_var, weight and bias have shape (C,) and are float32 whatever the dtype of input.
training=False: m = running_mean, v = running_var; neither is changed.
training=True: m and v are the mean and the biased variance of the channel's n > 1 elements, and
    running_mean = (1 - momentum) * running_mean + momentum * m
    running_var  = (1 - momentum) * running_var  + momentum * v * n / (n - 1)
are written in place. NaN in a channel makes the whole channel NaN in training.
"""

import torch

from kernelbenchx.spec import Close, Mutant, case
from kernelbenchx.spec.families.channel_norm import BOTH, channel_norm
from kernelbenchx.spec.families.channel_statistics import channel_rounding
from kernelbenchx.tasks.normalization.batch_norm import batch_norm


def fused_sigmoid_batch_norm(
    input: torch.Tensor,
    running_mean: torch.Tensor,
    running_var: torch.Tensor,
    weight: torch.Tensor | None = None,
    bias: torch.Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-05,
) -> torch.Tensor:
    x = input.to(torch.promote_types(input.dtype, torch.float32))
    z = batch_norm(x, running_mean, running_var, weight, bias, training, momentum, eps)
    return torch.sigmoid(z).to(input.dtype)


def eager(input, running_mean, running_var, *others, **words):
    return torch.sigmoid(
        torch.nn.functional.batch_norm(input, running_mean, running_var, *others, **words)
    )


def rounding(input, running_mean, running_var, **words):
    """What moves z moves its sigmoid by the slope there."""
    moved, *running = channel_rounding(input, running_mean, running_var, **words)
    gate = fused_sigmoid_batch_norm(input, running_mean.clone(), running_var.clone(), **words)
    return moved * gate * (1 - gate), *running


def _halfway(*args, **words):
    """z is rounded to 16 bits."""
    return torch.sigmoid(batch_norm(*args, **words))


def _of_the_input(input, mean, var, **words):
    return batch_norm(torch.sigmoid(input.float()), mean, var, **words).to(input.dtype)


TASK = channel_norm(
    fused_sigmoid_batch_norm,
    halfway=_halfway,
    eager=eager,
    contract=Close(scale=rounding),
    timings=case(shape=(32, 1 << 20), dtype=torch.float32, training=False, **BOTH)
    + case(shape=(8192, 4096), dtype=torch.float32, training=True, **BOTH)
    + case(shape=(31, 67, 10007), dtype=torch.float32, training=False, **BOTH),
    mutants=(Mutant("sigmoid of the input", _of_the_input, ("input",)),),
    difficulty=2,
)
