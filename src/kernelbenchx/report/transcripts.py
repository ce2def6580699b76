"""Requests and replies of each submission, in files that only its page loads.

They are numbered like the chunks of submissions. Where one becomes large, the first names the files
that continue it.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import msgspec

from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.transcript import Exchange
from kernelbenchx.report.packing import encode_document, write
from kernelbenchx.report.site_layout import Site, SiteAttempt
from kernelbenchx.store.transcripts import Transcript, reading_transcript

MOST_BYTES = 1 << 20
"""A file that holds more is closed: conversations may be long."""
LONGEST = 100_000
"""Characters of a message or a reply that a page shows."""

Requests = Sequence[tuple[str, str]]
"""Key and step, in the order of time."""


@contextmanager
def writing_transcripts(folder: Path, site: Site) -> Iterator[Callable[[], int]]:
    """Write in parallel; yields a function that waits and returns the number of files."""
    with ThreadPoolExecutor(1) as pool:
        begun = pool.submit(_write_all, folder, site)
        yield begun.result


def _write_all(folder: Path, site: Site) -> int:
    with ExitStack() as stack:
        runs: dict[str, Transcript] = {}
        for name in dict.fromkeys(one.attempt.run for one in site.placed):
            opened = stack.enter_context(reading_transcript(Path(name)))
            if opened.holds_any():
                runs[name] = opened
        if not runs:
            return 0
        asked = _RequestIndex(runs, site)
        return sum(_write(folder, number, placed, asked) for number, placed in site.chunks())


class _RequestIndex:
    """Which requests were made for which submission."""

    def __init__(self, runs: dict[str, Transcript], site: Site) -> None:
        self._runs = runs
        self._site = site
        # Chunks of a task come one after another.
        self._known = lru_cache(maxsize=len(runs))(self._read)

    def exchanges(self, one: SiteAttempt) -> list[str]:
        """As JSON, in the order of time."""
        attempt = one.attempt
        if attempt.run not in self._runs or not attempt.step:
            return []
        keys = self._known(attempt.run, attempt.task).get(attempt.step, [])
        return list(self._runs[attempt.run].exchanges(keys))

    def _read(self, run: str, task: str) -> dict[str, list[str]]:
        steps = {one.attempt.step for one in self._site.by_task[task] if one.attempt.run == run} - {
            ""
        }
        return group_requests(self._runs[run].requests(task), steps)


@dataclass
class _TranscriptFile:
    name: str
    of: dict[str, list[bytes]] = field(default_factory=dict)
    size: int = 0

    def add(self, address: str, said: list[bytes]) -> None:
        self.of[address] = said
        self.size += sum(map(len, said))


def _write(folder: Path, number: int, placed: Sequence[SiteAttempt], asked: _RequestIndex) -> int:
    """The first file says which submissions are in which of the others."""
    first = _TranscriptFile(f"transcripts/{number}")
    last, elsewhere, more = first, dict[str, str](), 0
    for one in placed:
        said = [_shorten_exchange(exchange) for exchange in asked.exchanges(one)]
        if not said:
            continue
        if last.size > MOST_BYTES:
            more += _close(folder, last) if last is not first else 0
            last = _TranscriptFile(f"transcripts/{number}_{more + 1}")
        last.add(one.address, said)
        if last is not first:
            elsewhere[one.address] = last.name
    if last is not first:
        more += _close(folder, last)
    return more + _close(folder, first, elsewhere)


def _close(folder: Path, file: _TranscriptFile, elsewhere: dict[str, str] | None = None) -> int:
    entries = (
        b'"%s":[%s]' % (address.encode("ascii"), b",".join(said))
        for address, said in file.of.items()
    )
    text = b'{"elsewhere":%s,"of":{%s}}' % (encode_document(elsewhere or {}), b",".join(entries))
    write(folder, file.name, text)
    return 1


def _shorten_exchange(exchange: str) -> bytes:
    """As it is stored, unless a message is too long to be shown."""
    written = exchange.encode("utf-8", "replace")
    if len(written) <= LONGEST:
        return written
    whole = from_json(written, Exchange)
    request = msgspec.structs.replace(
        whole.request,
        messages=tuple(
            msgspec.structs.replace(one, content=_cut(one.content))
            for one in whole.request.messages
        ),
    )
    reply = msgspec.structs.replace(
        whole.reply, text=_cut(whole.reply.text), reasoning=_cut(whole.reply.reasoning)
    )
    return to_json(msgspec.structs.replace(whole, request=request, reply=reply))


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}\n[... {len(text) - LONGEST:,} more characters are in the run]"


def group_requests(requests: Requests, steps: set[str]) -> dict[str, list[str]]:
    """Keys by the step of an attempt: requests at its path and below it.

    Also what was asked before for several: `test` for all attempts, `round 2/plan` for those of
    that round.
    """
    own: dict[str, list[int]] = {step: [] for step in steps}
    shared: list[tuple[int, str]] = []
    for at, (_, step) in enumerate(requests):
        attempt = _attempt_at(step, steps)
        if attempt is None:
            shared.append((at, step.rpartition("/")[0]))
        else:
            own[attempt].append(at)
    found = {}
    for step, places in own.items():
        before = [
            at
            for at, above in shared
            if places and at < places[0] and f"{step}/".startswith(f"{above}/" if above else "")
        ]
        found[step] = [requests[at][0] for at in (*before, *places)]
    return found


def _attempt_at(step: str, steps: set[str]) -> str | None:
    """The attempt at this path, or at the longest beginning of it."""
    while step not in steps:
        if "/" not in step:
            return None
        step = step.rpartition("/")[0]
    return step
