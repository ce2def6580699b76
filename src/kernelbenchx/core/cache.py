"""The folder of this user for what can be made again."""

import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path


def cache_folder(environment: Mapping[str, str]) -> Path:
    """Where programs of this user keep what can be made again."""
    root = environment.get("XDG_CACHE_HOME", "")
    if root:
        return Path(root) / "kernelbenchx"
    try:
        return Path.home() / ".cache" / "kernelbenchx"
    except RuntimeError:  # neither a variable nor the system says where that is
        return Path(tempfile.gettempdir()) / f"kernelbenchx-{os.geteuid()}"


def own_folder(wanted: Path) -> Path | None:
    """The folder, made where it was not; None where others could write there, or we cannot.

    What lies in such folders is loaded without doubt.
    """
    try:
        wanted.mkdir(mode=0o700, parents=True, exist_ok=True)
        seen = wanted.stat()
    except OSError:
        return None
    ours = seen.st_uid == os.geteuid() and not seen.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return wanted if ours and os.access(wanted, os.W_OK) else None
