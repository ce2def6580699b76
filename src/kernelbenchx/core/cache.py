"""The user's folder for files that can be made again."""

import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path


def cache_folder(environment: Mapping[str, str]) -> Path:
    """The folder where programs of this user keep files that can be made again."""
    root = environment.get("XDG_CACHE_HOME", "")
    if root:
        return Path(root) / "kernelbenchx"
    try:
        return Path.home() / ".cache" / "kernelbenchx"
    except RuntimeError:  # neither a variable nor the system names it
        return Path(tempfile.gettempdir()) / f"kernelbenchx-{os.geteuid()}"


def own_folder(wanted: Path) -> Path | None:
    """The folder, created if missing; None if others could write there, or this process cannot.

    The content of such folders is loaded without checks.
    """
    try:
        wanted.mkdir(mode=0o700, parents=True, exist_ok=True)
        seen = wanted.stat()
    except OSError:
        return None
    ours = seen.st_uid == os.geteuid() and not seen.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return wanted if ours and os.access(wanted, os.W_OK) else None
