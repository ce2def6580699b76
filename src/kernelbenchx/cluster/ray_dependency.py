"""Checks whether this installation can use Ray, before it is imported."""

import importlib.metadata
import importlib.util

from kernelbenchx.core.errors import BadInput

OLDEST = (2, 52)
"""The first version with token authentication."""


def require_ray() -> None:
    """Refuse in one line if Ray is missing or too old."""
    if importlib.util.find_spec("ray") is None:
        raise BadInput("`engine='ray'` needs the extra: pip install 'kernelbenchx[ray]'")
    said = importlib.metadata.version("ray")
    major, minor = said.split(".")[:2]
    if (int(major), int(minor)) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise BadInput(f"`engine='ray'` needs ray {oldest} or newer, this is {said}")
