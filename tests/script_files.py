"""Scripts as modules: they lie beside the package and import each other by bare name."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).parents[1] / "scripts"


def script(name: str) -> ModuleType:
    """A file of the folder, imported once."""
    if str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))
    return importlib.import_module(name)
