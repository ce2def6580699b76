"""Checks whether this installation can evaluate at all, before any heavy import."""

import importlib.util

from kernelbenchx.core.errors import BadInput


def require_evaluation_extra() -> None:
    """Refuse in one line if torch or triton is missing."""
    for name in ("torch", "triton"):
        if importlib.util.find_spec(name) is None:
            raise BadInput(
                f"{name} is missing: install the extra, pip install 'kernelbenchx[eval]'; "
                "on Linux it pulls the CUDA build of torch, several gigabytes, unless torch is "
                "there: the README says how to get a CPU build"
            )
