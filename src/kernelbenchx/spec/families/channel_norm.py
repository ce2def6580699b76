"""Tasks that normalize channels with running statistics, perhaps as a step of something fused."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from kernelbenchx.spec.families.axes import argument
from kernelbenchx.spec.families.channel_statistics import (
    channel_cost,
    channel_shapes,
    of_nothing,
    one_pass,
    with_statistics,
)
from kernelbenchx.spec.families.mistakes import ignore_argument
from kernelbenchx.spec.families.normalization import normalization
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.task import Task

Function = Callable[..., torch.Tensor]
BOTH = {"weight": "contiguous", "bias": "contiguous"}


def channel_norm(
    function: Function,
    *,
    corners: tuple[Mapping[str, str], ...] = (),
    mutants: tuple[Mutant, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family `normalization`; `function` has the arguments of batch_norm.

    `corners` and `mutants`: more of them. `rest`: settings of `normalization`.
    """
    nothing = with_statistics(function, of_nothing)
    options = ("momentum", "eps", "training", "weight", "bias")
    return normalization(
        function,
        shapes=channel_shapes(),
        slices=lambda shape: (shape[1],) + (1,) * (len(shape) - 2),
        vectors=lambda shape: shape[1:2],
        vector_dtype=torch.float32,
        one_pass=with_statistics(function, one_pass),
        arguments=(
            argument("training", not_given=None, yes=True, no=False),
            argument("momentum", not_given=None, third=0.35, all=1.0, none=0.0),
        ),
        valid=_is_valid,
        corners=(
            {"training": "yes", **BOTH},
            {"training": "yes", "values": "shifted"},
            {"training": "yes", "values": "special", "layout": "transposed"},
            {"training": "yes", "running_layout": "strided"},
            *corners,
        ),
        cost=channel_cost,
        mutants=(
            Mutant("running statistics not updated", _on_copies(function), ("training",)),
            Mutant("statistics of nothing", nothing, ("running_mean",)),
            *mutants,
            *(ignore_argument(function, one) for one in options),
        ),
        writes=("running_mean", "running_var"),
        **rest,
    )


def _is_valid(chosen: Mapping[str, str]) -> bool:
    """The unbiased variance of one element is not a number."""
    return chosen["training"] != "yes" or chosen["shape"] not in ("one element", "empty")


def _on_copies(function: Function) -> Function:
    def answer(
        input: torch.Tensor, mean: torch.Tensor, var: torch.Tensor, **words: Any
    ) -> torch.Tensor:
        return function(input, mean.clone(), var.clone(), **words)

    return answer
