"""Records, raw samples and sources of all submissions, in chunks that views load one at a time."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

from kernelbenchx.core.errors import BadInput
from kernelbenchx.report.packing import write
from kernelbenchx.report.placing import Placed, Site
from kernelbenchx.store.raw import Raw, RawRun, RawSamples, reading

THREADS = 2
"""Reading and packing leave the interpreter alone most of the time, so threads are enough."""


@contextmanager
def writing_records(folder: Path, site: Site) -> Iterator[Callable[[], int]]:
    """Write beside whatever else is done; what is given waits and says how many chunks."""
    chunks = list(site.chunks())
    with ThreadPoolExecutor(THREADS) as pool:
        parts = [chunks[first::THREADS] for first in range(THREADS)]
        begun = [pool.submit(_write_chunks, folder, part) for part in parts]
        yield lambda: sum(one.result() for one in begun)


def _write_chunks(folder: Path, chunks: Sequence[tuple[int, Sequence[Placed]]]) -> int:
    with ExitStack() as stack:
        runs: dict[str, RawRun] = {}
        for number, placed in chunks:
            for name in {one.attempt.run for one in placed} - runs.keys():
                runs[name] = stack.enter_context(reading(Path(name)))
            write(folder, f"submissions/{number}", chunk(runs, placed))
    return len(chunks)


def chunk(runs: Mapping[str, RawRun], placed: Sequence[Placed]) -> bytes:
    """Entries by address and sources by digest, put together from JSON as the runs hold it."""
    entries: list[str] = []
    sources: dict[str, str] = {}
    for run, group in _by_run(placed).items():
        found = runs[run].evaluations([one.attempt.key for one in group])
        for one in group:
            if one.attempt.key not in found:
                raise BadInput(f"the run {run} changed while it was read: start again")
            entries.append(f'"{one.address}":{_entry(one, found[one.attempt.key])}')
        missing = sorted({one.attempt.digest for one in group} - sources.keys())
        sources |= runs[run].sources(missing)
    text = f'{{"entries":{{{",".join(entries)}}},"sources":{json.dumps(sources)}}}'
    return text.encode("utf-8", "replace")


def _entry(one: Placed, raw: Raw) -> str:
    named = json.dumps({"run": one.attempt.run, "key": one.attempt.key, "created": raw.created})
    samples = ",".join(_samples(made) for made in raw.samples)
    return f'{named[:-1]},"evaluation":{raw.record},"samples":[{samples}]}}'


@cache
def _quoted(name: str) -> str:
    """The same few names come back for every submission of a task."""
    return json.dumps(name)


def _samples(made: RawSamples) -> str:
    case, baseline, clock, tier = map(_quoted, made[:4])
    return (
        f'{{"case":{case},"baseline":{baseline},"clock":{clock},"tier":{tier},"rows":{made.rows}}}'
    )


def _by_run(placed: Sequence[Placed]) -> dict[str, list[Placed]]:
    found: dict[str, list[Placed]] = defaultdict(list)
    for one in placed:
        found[one.attempt.run].append(one)
    return found
