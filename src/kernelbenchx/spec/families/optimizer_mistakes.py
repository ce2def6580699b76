"""Wrong answers that a step of an optimizer can give; functions are those of `optimizer_step`."""

import inspect
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import torch

from kernelbenchx.spec.mutants import Mutant

Function = Callable[..., Any]
Rule = Callable[[SimpleNamespace, SimpleNamespace], torch.Tensor]
"""From all arguments before the step and the state after it to the new parameter, in float32."""


def moved_otherwise(function: Function, name: str, rule: Rule, *covers: str) -> Mutant:
    """The new state is right, and the parameter follows another rule."""

    def answer(*args: Any, **words: Any) -> Any:
        given = inspect.signature(function).bind(*args, **words)
        given.apply_defaults()
        old = SimpleNamespace(
            **{key: _copy_in_float32(one) for key, one in given.arguments.items()}
        )
        returned = function(*args, **words)
        new = SimpleNamespace(
            **{key: _copy_in_float32(one) for key, one in given.arguments.items()}
        )
        given.arguments["param"].copy_(rule(old, new))
        return returned

    return Mutant(name, answer, covers)


def decay_apart(function: Function, *codes: str) -> Mutant:
    """The decay is taken from the parameter, where it should be added to the gradient."""
    usual = inspect.signature(function).parameters["lr"].default

    def answer(*args: Any, weight_decay: float = 0.0, **words: Any) -> Any:
        decay = words.get("lr", usual) * weight_decay * args[0].float()
        returned = function(*args, **words)
        args[0].copy_(args[0].float() - decay)
        return returned

    return Mutant("decay apart from the gradient", answer, ("weight_decay", *codes))


def decay_coupled(function: Function, *codes: str) -> Mutant:
    """The decay is added to the gradient, where it should be taken from the parameter."""

    def answer(param: Any, grad: Any, *rest: Any, weight_decay: float = 0.0, **words: Any) -> Any:
        return function(param, grad + weight_decay * param, *rest, **words)

    return Mutant("decay coupled to the gradient", answer, ("weight_decay", "grad", *codes))


def decay_in_grad(function: Function, *codes: str) -> Mutant:
    """The decay is written into grad itself."""

    def answer(param: Any, grad: Any, *rest: Any, weight_decay: float = 0.0, **words: Any) -> Any:
        grad.add_(weight_decay * param)
        return function(param, grad, *rest, **words)

    return Mutant("decay written into grad", answer, ("weight_decay", "grad", *codes))


def _copy_in_float32(value: Any) -> Any:
    """A copy in float32; what is not a tensor as it is."""
    return value.detach().float().clone() if isinstance(value, torch.Tensor) else value
