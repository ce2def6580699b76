"""Sources of submissions by their digest, from several runs."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from kernelbenchx.store.raw_records import reading


def read_sources(runs: Sequence[Path], digests: Iterable[str]) -> dict[str, str]:
    """Those of the wanted sources that are there."""
    wanted = sorted(set(digests))
    found: dict[str, str] = {}
    for run in runs:
        with reading(run) as opened:
            found.update(opened.sources([one for one in wanted if one not in found]))
    return found
