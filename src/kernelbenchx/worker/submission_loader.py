"""Imports a submission from a real file: `@triton.jit` reads its own source back."""

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

FILE_NAME = "submission.py"
HIDDEN_PACKAGE = "kernelbenchx"


class MissingEntry(AttributeError):
    """The submission defines none of the names it could be called by."""


class _Refusal(importlib.abc.MetaPathFinder):
    """An import hook that hides the harness: one of several layers in front of answers."""

    def find_spec(self, fullname: str, *_where: object) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] == HIDDEN_PACKAGE:
            raise ModuleNotFoundError(f"No module named {fullname!r}")
        return None


def hide_harness() -> None:
    """Take the harness off this process's import path, also where it is installed beside torch."""
    sys.meta_path.insert(0, _Refusal())
    for name in [n for n in sys.modules if n.partition(".")[0] == HIDDEN_PACKAGE]:
        del sys.modules[name]


def load_python(
    source: str, folder: Path, file_name: str = FILE_NAME, name: str = ""
) -> ModuleType:
    """Write the source into `folder` and import it from there, as a module named like the file.

    Another name is that of the module alone: `__main__` runs it as a program.
    """
    path = folder / file_name
    path.write_text(source, encoding="utf-8")
    name = name or path.stem
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot import {file_name}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


Loader = Callable[[str, Path], ModuleType]
LOADERS: dict[str, Loader] = {"triton": load_python}
"""How a submission in each language becomes a module whose attributes can be called."""


def entry_of(module: ModuleType, names: Sequence[str]) -> tuple[str, Any]:
    """The first of the accepted names that the submission defines."""
    for name in names:
        found = getattr(module, name, None)
        if callable(found):
            return name, found
    raise MissingEntry(f"the submission defines none of: {', '.join(names)}")
