"""How results are shown: one JSON document for machines, tables for people."""

import json
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console


def print_json(document: Any) -> None:
    """The one document on standard output."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    ascii_only = not encoding.startswith("utf")
    json.dump(document, sys.stdout, indent=2, ensure_ascii=ascii_only)
    sys.stdout.write("\n")


def console(*, stderr: bool = False) -> "Console":
    """Wide enough for a table where neither the terminal nor COLUMNS says how wide it is."""
    from rich.console import Console

    width = None if sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit() else 140
    return Console(stderr=stderr, width=width, highlight=False)
