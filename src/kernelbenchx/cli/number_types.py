"""Numbers that a person types."""

import math
from typing import Any

import click


class Finite(click.FloatRange):
    """A number in a range; what is no number is in none, though it compares as if it were."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """As any range, and finite."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not in the range {self._describe_range()}.", param, ctx)
        return number


class TimeLimitType(Finite):
    """Seconds, or `auto`."""

    name = "auto|seconds"

    def __init__(self) -> None:
        super().__init__(1, 3600)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """A number from 1 to 3600, or the word."""
        if value == "auto":
            return value
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"{value!r} is neither auto nor a number from 1 to 3600.", param, ctx)
