"""Records, raw samples and sources of all submissions, in chunks that views load one at a time."""

import json
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from kernelbenchx.core.errors import BadInput
from kernelbenchx.report.packing import write
from kernelbenchx.report.placing import Placed, Site
from kernelbenchx.store.raw import RawRun, reading

AHEAD = 16
"""So many chunks wait to be packed: enough to keep two cores busy, too few to fill memory."""


def write_records(folder: Path, site: Site) -> int:
    """How many chunks were written."""
    count = 0
    with ExitStack() as stack:
        runs = _Runs(stack)
        # Packing leaves the interpreter alone, so threads are enough to use two cores.
        pool = stack.enter_context(ThreadPoolExecutor(2))
        pending = []
        for number, placed in site.chunks():
            document = chunk(runs, placed)
            pending.append(pool.submit(write, folder, f"submissions/{number}", document))
            count += 1
            if len(pending) > AHEAD:
                pending.pop(0).result()
        for one in pending:
            one.result()
    return count


class _Runs:
    """Runs as they are asked for, open until all is written."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._open: dict[str, RawRun] = {}

    def __getitem__(self, name: str) -> RawRun:
        if name not in self._open:
            self._open[name] = self._stack.enter_context(reading(Path(name)))
        return self._open[name]


def chunk(runs: _Runs, placed: Sequence[Placed]) -> bytes:
    """Entries by address and sources by digest, put together from JSON as the runs hold it."""
    entries: list[str] = []
    sources: dict[str, str] = {}
    for run, group in _by_run(placed).items():
        found = runs[run].evaluations([one.attempt.key for one in group])
        for one in group:
            if one.attempt.key not in found:
                raise BadInput(f"the run {run} changed while it was read: start again")
            raw = found[one.attempt.key]
            named = json.dumps({"run": run, "key": one.attempt.key, "created": raw.created})
            entries.append(
                f'"{one.address}":{named[:-1]},"evaluation":{raw.record},"samples":{raw.samples}}}'
            )
        missing = sorted({one.attempt.digest for one in group} - sources.keys())
        sources |= runs[run].sources(missing)
    text = f'{{"entries":{{{",".join(entries)}}},"sources":{json.dumps(sources)}}}'
    return text.encode("utf-8", "replace")


def _by_run(placed: Sequence[Placed]) -> dict[str, list[Placed]]:
    found: dict[str, list[Placed]] = defaultdict(list)
    for one in placed:
        found[one.attempt.run].append(one)
    return found
