"""Packages whose name is also a public function: `kernelbenchx.evaluate`, `kernelbenchx.tasks`.

Importing `kernelbenchx.tasks.math.add` makes the package `tasks` an attribute of `kernelbenchx`.
A function of that name would be there before such an import and be gone after it, so the package
itself is what is called.
"""

import importlib
import inspect
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

FUNCTIONS = {
    "kernelbenchx.evaluate": "kernelbenchx.evaluator",
    "kernelbenchx.tasks": "kernelbenchx.task_info",
}
"""Where the function of a package's name is defined."""


class CallablePackage(ModuleType):
    """A package that passes calls on."""

    @property
    def __signature__(self) -> inspect.Signature:
        """The function's signature, for `help` and editors."""
        return inspect.signature(_function(self))

    def __call__(self, *args: Any, **options: Any) -> Any:
        return _function(self)(*args, **options)


def make_callable(package: str) -> None:
    """Make a package callable; call this in its `__init__`."""
    sys.modules[package].__class__ = CallablePackage


def _function(package: ModuleType) -> Callable[..., Any]:
    name = package.__name__
    found: Callable[..., Any] = getattr(
        importlib.import_module(FUNCTIONS[name]), name.rpartition(".")[2]
    )
    return found
