"""Files with the records, raw samples and sources of some submissions each.

As a program it writes those that are ordered on its input: the interpreter does one thing at a
time, and this much would hold up all else.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct
from msgspec.json import decode, encode

from kernelbenchx.core.errors import BadInput
from kernelbenchx.report.packing import write
from kernelbenchx.store.raw_records import RawEvaluation, RawRun, reading


class ChunkEntry(Struct, frozen=True, array_like=True, gc=False):
    """Where a submission lies, and under which address it is found in its chunk."""

    run: str
    key: str
    digest: str
    address: str


class ChunkJob(Struct, frozen=True):
    """What is to be written, and where."""

    folder: str
    chunks: Sequence[tuple[int, Sequence[ChunkEntry]]]


def write_chunks(order: ChunkJob) -> int:
    """How many were written."""
    with ExitStack() as stack:
        runs = {
            name: RunReader.of(stack.enter_context(reading(Path(name))), keys)
            for name, keys in _keys(order).items()
        }
        for number, entries in order.chunks:
            write(Path(order.folder), f"submissions/{number}", chunk(runs, entries))
    return len(order.chunks)


def _keys(order: ChunkJob) -> dict[str, list[str]]:
    """What is asked of each run, in the order in which it is written."""
    found: dict[str, list[str]] = defaultdict(list)
    for _, entries in order.chunks:
        for one in entries:
            found[one.run].append(one.key)
    return found


@dataclass(frozen=True)
class RunReader:
    """A run that is read once, in the order in which its evaluations are written."""

    opened: RawRun
    evaluations: Iterator[RawEvaluation]

    @classmethod
    def of(cls, opened: RawRun, keys: Sequence[str]) -> "RunReader":
        """One with these evaluations still to come."""
        return cls(opened, opened.evaluations(keys))


def chunk(runs: Mapping[str, RunReader], entries: Sequence[ChunkEntry]) -> bytes:
    """Entries by address and sources by digest, put together from JSON as the runs hold it."""
    parts: list[bytes] = []
    digests: dict[str, set[str]] = defaultdict(set)
    for one in entries:
        raw = next(runs[one.run].evaluations, None)
        if raw is None or raw.key != one.key:
            raise BadInput(f"the run {one.run} changed while it was read: start again")
        parts += (b"," if parts else b'{"entries":{', *_entry(one, raw))
        digests[one.run].add(one.digest)
    sources: dict[str, str] = {}
    for run, wanted in digests.items():
        sources |= runs[run].opened.sources(sorted(wanted - sources.keys()))
    return b"".join((*parts, b'},"sources":', encode(sources), b"}"))


def _entry(one: ChunkEntry, raw: RawEvaluation) -> tuple[bytes, ...]:
    """In parts: they are long, and are copied only once."""
    named = tuple(map(encode, (one.address, one.run, one.key, raw.created)))
    head = b'%b:{"run":%b,"key":%b,"created":%b,"evaluation":' % named
    return head, raw.record, b',"samples":', encode(raw.samples), b"}"


def main() -> None:
    """Follow the order on the input; a damaged run is named in the last line of output."""
    try:
        write_chunks(decode(sys.stdin.buffer.read(), type=ChunkJob))
    except BadInput as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
