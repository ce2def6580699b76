"""Paths that a person types."""

import os
from typing import Any

import click


class NamedPath(click.Path):
    """A path; an empty one, as a variable that is not set leaves it, is not the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """As any path, and not empty."""
        if not os.fspath(value):
            self.fail("the name is empty; '.' is the current folder.", param, ctx)
        return super().convert(value, param, ctx)
