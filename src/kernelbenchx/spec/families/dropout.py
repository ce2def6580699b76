"""Tasks that drop elements at random between two steps: after(dropout(before(...), p))."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from kernelbenchx.spec.close import Close
from kernelbenchx.spec.distribution import Dropout
from kernelbenchx.spec.families.axes import FLOATS, VALUES, argument, one_of
from kernelbenchx.spec.families.axes import dtypes as dtype_axis
from kernelbenchx.spec.families.random_mistakes import WRONG_MASKS, Mask, fair
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import OMITTED, Axis, Option, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., torch.Tensor]
Step = Callable[[torch.Tensor], torch.Tensor]
Dropping = Callable[[torch.Tensor, float, bool, Step], torch.Tensor]
"""From what is to be dropped, p, training and the step after it, to the result."""


def dropout(  # noqa: PLR0913 - a form to fill in
    function: Function,
    *,
    before: Function,
    after: Function,
    close: Close,
    sizes: Axis,
    dtypes: tuple[torch.dtype, ...] = FLOATS,
    arguments: tuple[Axis, ...] = (),
    valid: Callable[[Mapping[str, str]], bool] = lambda _: True,
    corners: Sequence[Mapping[str, str]] = (),
    promises: Callable[[Function], tuple[Promise, ...]] = lambda _: (),
    mutants: Callable[[Function], tuple[Mutant, ...]] = lambda _: (),
    **rest: Any,
) -> Task:
    """A task of the family; `function(..., p, training, ...)` is the reference, with nothing
    dropped and every element scaled.

    `before(**arguments)` gives what is dropped, in float32 at least, and `after(x, **arguments)`
    the result, 0 for 0. `close`: of elements that are kept. The first of `sizes` is the ordinary
    one. `promises` and `mutants` are made from a function that drops fairly. `rest`: fields of
    `Task`.
    """
    answers = _Answers(function, before, after)
    right = answers.dropping(_drop_by_mask(fair))
    fields: dict[str, Any] = {"randomness": "randint", "audit": ("I-RNG",), "dtypes": dtypes}

    def is_valid(chosen: Mapping[str, str]) -> bool:
        rare = chosen["p"] in ("hardly any", "nearly all")
        ordinary = chosen["sizes"] == sizes.options[0].name and chosen["training"] != "no"
        # Of rare events few positions say nothing, and many take long.
        return (not rare or ordinary) and valid(chosen)

    return Task(
        reference=function,
        contract=Dropout(keep=answers.keep, given=function, close=close),
        space=Space(
            (sizes, dtype_axis(dtypes), *_AXES, *arguments),
            valid=is_valid,
            corners=(*_CORNERS, *corners),
            calls=16,
        ),
        promises=promises(right),
        mutants=(
            Mutant("dropout as the last step", answers.dropping(_after), ("p",)),
            Mutant("dropout outside training", answers.dropping(_always), ("training",)),
            Mutant("no dropout", function, ("p", "training")),
            Mutant("kept values not scaled", answers.dropping(_drop_unscaled), ("p",)),
            *(
                Mutant(name, answers.dropping(_drop_by_mask(mask)), ("I-RNG", "p"))
                for name, mask in WRONG_MASKS.items()
            ),
            *mutants(right),
        ),
        **fields | rest,
    )


def kept_factor(p: float, training: bool) -> float:
    """What a kept element is multiplied with; 0 where none is kept."""
    if not training:
        return 1.0
    return 0.0 if p == 1 else 1.0 / (1.0 - p)


class _Answers:
    """Functions with the signature of the reference that drop in one way or another."""

    def __init__(self, function: Function, before: Function, after: Function) -> None:
        self.signature = inspect.signature(function)
        self.before, self.after = before, after

    def dropping(self, how: Dropping) -> Function:
        """The steps with this in between."""

        def answer(*args: Any, **words: Any) -> torch.Tensor:
            given = self._bind_arguments(*args, **words)
            x = self.before(**given)
            kept = how(x, given["p"], given["training"], lambda x: self.after(x, **given))
            result, out = kept.to(args[0].dtype), given.get("out")
            return result if out is None else out.copy_(result)

        return answer

    def keep(self, *args: Any, **words: Any) -> float:
        """The probability of being kept."""
        given = self._bind_arguments(*args, **words)
        return 1.0 - given["p"] if given["training"] else 1.0

    def _bind_arguments(self, *args: Any, **words: Any) -> dict[str, Any]:
        bound = self.signature.bind(*args, **words)
        bound.apply_defaults()
        return bound.arguments


def _drop_by_mask(mask: Mask) -> Dropping:
    """`mask(x, p)` says what is kept."""

    def drop(x: torch.Tensor, p: float, training: bool, after: Step) -> torch.Tensor:
        kept = mask(x, p) if training else torch.ones_like(x, dtype=torch.bool)
        return after(torch.where(kept, x * kept_factor(p, training), 0.0))

    return drop


def _always(x: torch.Tensor, p: float, _training: bool, after: Step) -> torch.Tensor:
    return _drop_by_mask(fair)(x, p, True, after)


def _after(x: torch.Tensor, p: float, training: bool, after: Step) -> torch.Tensor:
    return _drop_by_mask(fair)(after(x), p, training, lambda x: x)


def _drop_unscaled(x: torch.Tensor, p: float, training: bool, after: Step) -> torch.Tensor:
    kept = fair(x, p) if training else torch.ones_like(x, dtype=torch.bool)
    return after(torch.where(kept, x, 0.0))


_RATES = (
    Option("not given", OMITTED),
    Option("a part", one_of(0.1, 0.25, 0.3, 0.7)),
    # Called often: the rate of each position shows.
    Option("hardly any", 0.0005, calls=6),
    Option("nearly all", 0.9995, calls=6, trivial=True),
    Option("nothing", 0.0, VALUES),
    Option("everything", 1.0, VALUES),
)
_AXES = (Axis("p", _RATES), argument("training", not_given=None, no=False, yes=True))
_CORNERS = ({"p": "hardly any"}, {"p": "nearly all"}, {"p": "everything"})
