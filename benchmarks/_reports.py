"""What a benchmark says: lines as they come, tables, what must hold, one JSON line at the end."""

import argparse
import json
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from kernelbenchx.core.environment import Environment


class Report:
    """Printed at once, since a machine may be taken away; kept for a file."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._lines: list[str] = []
        self._broken: list[str] = []

    def say(self, text: str = "") -> None:
        """One line or several."""
        self._lines.append(text)
        print(text, flush=True)

    def table(self, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Columns as wide as what is in them."""
        cells = [list(head), *([str(one) for one in row] for row in rows)]
        widths = [max(len(row[at]) for row in cells) for at in range(len(head))]
        rule = ["-" * width for width in widths]
        for row in (cells[0], rule, *cells[1:]):
            padded = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
            self.say(f"| {' | '.join(padded)} |")
        self.say()

    def must(self, what: str, holds: bool) -> None:
        """A promise, and whether it was kept."""
        self.say(f"{'holds' if holds else 'DOES NOT HOLD'}: {what}")
        if not holds:
            self._broken.append(what)

    def end(self, document: dict[str, Any], out: Path | None) -> int:
        """The exit code: 1 where a promise was not kept."""
        took = time.monotonic() - self._started
        self.say(f"\nthis took {took:.0f} s")
        whole = {**document, "broken": self._broken, "seconds": round(took, 1)}
        self.say(json.dumps(whole, ensure_ascii=False, separators=(",", ":")))
        if out is not None:
            out.write_text("\n".join(self._lines) + "\n", encoding="utf-8")
        return 1 if self._broken else 0


def parser_of(words: str | None) -> argparse.ArgumentParser:
    """Options that every benchmark on a card has; `words` is the file's own description."""
    parser = argparse.ArgumentParser(description=(words or "").splitlines()[0])
    parser.add_argument("--out", type=Path, help="keep what is printed in this file")
    return parser


def setting(here: Environment, **more: object) -> str:
    """Versions and card in one line, with whatever else a reader needs to do it again."""
    known = {
        "kernelbenchx": here.harness,
        "python": here.python,
        "torch": here.torch,
        "triton": here.triton,
        "card": here.gpu or "none",
        **more,
    }
    return ", ".join(f"{name} {value}" for name, value in known.items())


def percent(share: float, digits: int = 1) -> str:
    """0.052 as 5.2 %."""
    return f"{100.0 * share:.{digits}f} %"
