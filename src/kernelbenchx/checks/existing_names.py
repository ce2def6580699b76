"""The public names of the modules of torch and Triton, in the versions that are tested.

A name that they lack only raises an AttributeError: that is a broken kernel, not a forbidden one.
`scripts/write_existing_names.py` writes the list.
"""

from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).with_name("existing_names.txt")


@lru_cache(maxsize=1)
def existing_names() -> dict[str, frozenset[str]]:
    """By module, such as `torch.linalg`."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    found = (line.partition(": ") for line in lines if line and not line.startswith("#"))
    return {module: frozenset(names.split()) for module, _, names in found}


def is_missing(module: str, name: str) -> bool:
    """Whether a module is known not to have a public name."""
    names = existing_names().get(module)
    return names is not None and not name.startswith("_") and name not in names
