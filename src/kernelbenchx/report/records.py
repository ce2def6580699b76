"""Chunks of all submissions, written in parallel to the rest of the report."""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from msgspec.json import encode

from kernelbenchx.core.errors import BadInput
from kernelbenchx.report import chunks
from kernelbenchx.report.chunks import ChunkEntry, ChunkJob, write_chunks
from kernelbenchx.report.site_layout import Site, SiteAttempt

MANY = 5000
"""Submissions for which a process of its own is worth starting."""


def writing_records(
    folder: Path, site: Site, many: int = MANY
) -> AbstractContextManager[Callable[[], int]]:
    """Yields a function that waits until all are written and returns the number of chunks."""
    order = ChunkJob(
        folder=str(folder),
        chunks=[(number, [_entry(one) for one in placed]) for number, placed in site.chunks()],
    )
    return _in_a_process(order) if len(site.attempts) >= many else _in_a_thread(order)


def _entry(one: SiteAttempt) -> ChunkEntry:
    return ChunkEntry(one.attempt.run, one.attempt.key, one.attempt.digest, one.address)


@contextmanager
def _in_a_thread(order: ChunkJob) -> Iterator[Callable[[], int]]:
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(write_chunks, order).result


@contextmanager
def _in_a_process(order: ChunkJob) -> Iterator[Callable[[], int]]:
    command = [sys.executable, "-m", chunks.__name__]
    with tempfile.TemporaryFile() as file:
        file.write(encode(order))
        file.seek(0)
        with subprocess.Popen(command, stdin=file, stderr=subprocess.PIPE) as process:
            try:
                yield lambda: _end(process, len(order.chunks))
            finally:
                process.kill()


def _end(process: subprocess.Popen[bytes], count: int) -> int:
    _, wrong = process.communicate()
    if process.returncode:
        words = wrong.decode(errors="replace").strip().splitlines()
        raise BadInput(words[-1] if words else "the records could not be written")
    return count
