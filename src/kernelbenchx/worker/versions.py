"""Which versions of triton this worker is tested with."""

import importlib.metadata
import re

TESTED = "3.6.* and 3.7.1"

# Patch releases of 3.6 share one runtime interface; of 3.7 only 3.7.1 was tried.
_TESTED = re.compile(r"3\.6\.\d+|3\.7\.1")


class UntestedTriton(RuntimeError):
    """The installed triton is missing or not one of the tested versions."""


def require_tested() -> None:
    """Raise UntestedTriton, in one line, unless triton is a tested version."""
    try:
        version = importlib.metadata.version("triton")
    except importlib.metadata.PackageNotFoundError:
        raise UntestedTriton(f"triton is not installed; tested versions: {TESTED}") from None
    # A local suffix such as +cu128 or +git1234 names a build, not an interface.
    if not _TESTED.fullmatch(version.partition("+")[0]):
        raise UntestedTriton(f"triton {version} is not supported; tested versions: {TESTED}")
