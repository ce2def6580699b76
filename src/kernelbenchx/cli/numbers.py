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
