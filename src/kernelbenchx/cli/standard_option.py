"""`--correct`: which standard says what correct means."""

import functools
from collections.abc import Callable
from typing import Any

import click

from kernelbenchx.core.standards import Standard


def standard_option(words: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds the option with a help text; the command gets it as `standard`."""

    def decorator(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def with_standard(*args: Any, correct: str, **rest: Any) -> Any:
            return command(*args, standard=Standard(correct), **rest)

        return click.option(
            "--correct",
            type=click.Choice([one.value for one in Standard]),
            default=Standard.STRICT.value,
            show_default=True,
            help=words,
        )(with_standard)

    return decorator


COUNTS_AS_CORRECT = (
    "What counts as correct: every core call in the task's first dtype, every core call, or "
    "every call."
)
