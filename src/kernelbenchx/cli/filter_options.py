"""`--category`, `--task`, `--model` and `--method`: for the commands that read runs."""

import functools
from collections.abc import Callable
from typing import Any

import click

_OPTIONS = (
    ("--category", "NAME", "Only this category."),
    ("--task", "NAME", "Only this task; patterns such as 'fused_*' are allowed."),
    ("--model", "NAME", "Only this model."),
    ("--method", "NAME", "Only this method."),
)


def wanted_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options, each of which may be repeated; the command gets them as `wanted`."""

    @functools.wraps(command)
    def with_wanted(
        *args: Any,
        category: tuple[str, ...],
        task: tuple[str, ...],
        model: tuple[str, ...],
        method: tuple[str, ...],
        **rest: Any,
    ) -> None:
        from kernelbenchx.analysis.attempt_filter import AttemptFilter

        chosen = AttemptFilter(categories=category, tasks=task, models=model, methods=method)
        command(*args, wanted=chosen, **rest)

    decorated: Callable[..., None] = with_wanted
    for name, metavar, words in reversed(_OPTIONS):
        said = words.removesuffix(".") + "; may be repeated."
        decorated = click.option(name, multiple=True, metavar=metavar, help=said)(decorated)
    return decorated
