"""A run in one compressed file, small enough to send or to keep beside documents; only read."""

import atexit
import gzip
import shutil
import sqlite3
import tempfile
import zlib
from contextlib import closing
from functools import cache
from pathlib import Path

from kernelbenchx.core.errors import BadInput

DATABASE = "run.sqlite"
PACKED = ".gz"
"""How the name of a packed run ends."""
MOST_BYTES = 8 << 30
"""A small file can become a very large one."""
_AT_ONCE = 1 << 20
MAGIC = b"SQLite format 3\0"


def pack(database: Path, packed: Path) -> None:
    """Pack a run without free space; the same run gives the same bytes."""
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / DATABASE
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("VACUUM INTO ?", (str(whole),))
        with packed.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as out:
            out.write(whole.read_bytes())


@cache
def unpack(packed: Path) -> Path:
    """A folder with the run, for as long as this process lives."""
    folder = Path(tempfile.mkdtemp(prefix="kbx-run-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    try:
        with gzip.open(packed, "rb") as file, (folder / DATABASE).open("wb") as out:
            while part := file.read(_AT_ONCE):
                out.write(part)
                if out.tell() > MOST_BYTES:
                    raise BadInput(f"{packed} is too large for a packed run")
    except (OSError, EOFError, zlib.error) as error:
        raise BadInput(f"{packed} is not a packed run: {error}") from error
    with (folder / DATABASE).open("rb") as whole:  # an error names the packed file, not this one
        if whole.read(len(MAGIC)) != MAGIC:
            raise BadInput(f"{packed} is not a packed run: there is no database in it")
    return folder
