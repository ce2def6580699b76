"""Records, raw samples and sources of all submissions, in chunks that views load one at a time."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from msgspec.json import encode

from kernelbenchx.core.errors import BadInput
from kernelbenchx.report.packing import write
from kernelbenchx.report.placing import Placed, Site
from kernelbenchx.store.raw import Raw, RawRun, reading

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
        runs = {
            name: Run.of(stack.enter_context(reading(Path(name))), keys)
            for name, keys in _keys(chunks).items()
        }
        for number, placed in chunks:
            write(folder, f"submissions/{number}", chunk(runs, placed))
    return len(chunks)


def _keys(chunks: Sequence[tuple[int, Sequence[Placed]]]) -> dict[str, list[str]]:
    """What is asked of each run, in the order in which it is written."""
    found: dict[str, list[str]] = defaultdict(list)
    for _, placed in chunks:
        for one in placed:
            found[one.attempt.run].append(one.attempt.key)
    return found


@dataclass(frozen=True)
class Run:
    """A run that is read once, in the order in which its evaluations are written."""

    opened: RawRun
    evaluations: Iterator[Raw]

    @classmethod
    def of(cls, opened: RawRun, keys: Sequence[str]) -> "Run":
        """One with these evaluations still to come."""
        return cls(opened, opened.evaluations(keys))


def chunk(runs: Mapping[str, Run], placed: Sequence[Placed]) -> bytes:
    """Entries by address and sources by digest, put together from JSON as the runs hold it."""
    parts: list[bytes] = []
    digests: dict[str, set[str]] = defaultdict(set)
    for one in placed:
        run = one.attempt.run
        raw = next(runs[run].evaluations, None)
        if raw is None or raw.key != one.attempt.key:
            raise BadInput(f"the run {run} changed while it was read: start again")
        parts += (b"," if parts else b'{"entries":{', *_entry(one, raw))
        digests[run].add(one.attempt.digest)
    sources: dict[str, str] = {}
    for run, wanted in digests.items():
        sources |= runs[run].opened.sources(sorted(wanted - sources.keys()))
    return b"".join((*parts, b'},"sources":', encode(sources), b"}"))


def _entry(one: Placed, raw: Raw) -> tuple[bytes, ...]:
    """In parts: they are long, and are copied only once."""
    address, run, key, created = map(encode, (one.address, one.attempt.run, raw.key, raw.created))
    head = b'%b:{"run":%b,"key":%b,"created":%b,"evaluation":' % (address, run, key, created)
    return head, raw.record, b',"samples":', encode(raw.samples), b"}"
