"""A run folder becomes a site folder: the app as it was built, beside data files it loads."""

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kernelbenchx.analysis.apply_standard import judge_by
from kernelbenchx.analysis.attempt_filter import ALL, AttemptFilter
from kernelbenchx.analysis.table import Table
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.standards import Standard
from kernelbenchx.report import trust
from kernelbenchx.report.index import index, plain
from kernelbenchx.report.labels import label_attempts
from kernelbenchx.report.packing import encode_document, write
from kernelbenchx.report.pages import cost_page, pages
from kernelbenchx.report.records import writing_records
from kernelbenchx.report.site_layout import place
from kernelbenchx.report.task_files import statements, write_tasks
from kernelbenchx.report.transcripts import writing_transcripts
from kernelbenchx.store.attempts import read_runs

APP = Path(__file__).parent / "site" / "built"
MARK = "made-by-kbx-report"
"""A file that says that `kbx report` wrote a folder and may replace it."""


@dataclass(frozen=True)
class SiteSummary:
    """What was written."""

    page: Path
    evaluations: int
    tasks: int
    methods: int
    files: int


Counts = tuple[int, int, int, int]
"""Evaluations, tasks, methods and files."""


def build(
    runs: Sequence[Path],
    out: Path,
    tell: Callable[[str], None] = lambda _: None,
    wanted: AttemptFilter = ALL,
    standard: Standard = Standard.STRICT,
) -> SiteSummary:
    """Write the report of these runs, or of the part of them that is wanted."""
    return write_site(out, lambda fresh: _write(runs, fresh, tell, wanted, standard))


def write_site(out: Path, write: Callable[[Path], Counts]) -> SiteSummary:
    """The whole site, or nothing: it takes its place only when it is complete."""
    with _beside(out) as folder:
        fresh = Path(folder) / "site"
        built = write(fresh)
        _copy_app(fresh)
        if out.exists():
            shutil.rmtree(out)
        fresh.rename(out)
    return SiteSummary(out / "index.html", *built)


def write_pages(data: Path, found: Mapping[str, Sequence[Table]]) -> None:
    """A file per page with its tables."""
    for name, tables in found.items():
        write(data, f"pages/{name}", encode_document({"tables": [plain(one) for one in tables]}))


def _beside(out: Path) -> "tempfile.TemporaryDirectory[str]":
    """A folder on the same disk; an error names the folder that was asked for."""
    try:
        _refuse(out)
        out.parent.mkdir(parents=True, exist_ok=True)
        return tempfile.TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent)
    except FileExistsError as error:
        raise BadInput(f"cannot write the report {out}: {error.filename} is a file") from error
    except OSError as error:
        raise BadInput(f"cannot write the report {out}: {error.strerror}") from error


def _refuse(out: Path) -> None:
    """Only a report or an empty folder is replaced."""
    if not out.exists():
        return
    if not out.is_dir() or (any(out.iterdir()) and not (out / MARK).is_file()):
        raise BadInput(f"{out} exists and is not a kbx report: choose another folder")


def _write(
    runs: Sequence[Path],
    out: Path,
    tell: Callable[[str], None],
    wanted: AttemptFilter,
    standard: Standard,
) -> Counts:
    tell("reading runs")
    read, grounds = read_runs(runs)
    if not read:
        raise BadInput("these runs hold no evaluation: nothing to report")
    read = judge_by(wanted.pick(read), standard)
    attempts = label_attempts(read)
    site, data = place(attempts), out / "data"
    with writing_records(data, site) as chunks_written, writing_transcripts(data, site) as said:
        tell("analysing")
        found = pages(runs, attempts, site) | cost_page(runs, read, wanted, standard)
        write_pages(data, found)
        about = [trust.runs(runs, wanted), *trust.tables(grounds, attempts)]
        write(data, "index", encode_document(index(about, attempts, site, found, standard)))
        tell("writing tasks")
        write_tasks(data, site, statements(runs))
        tell("writing submissions")
        chunks = chunks_written() + said()
    files = 2 + len(found) + len(site.tasks) + chunks
    return len(attempts), len(site.tasks), len(site.methods), files


def _copy_app(out: Path) -> None:
    (out / "app").mkdir()
    for name in ("app.js", "app.css", "LICENSES.txt"):
        shutil.copyfile(APP / name, out / "app" / name)
    shutil.copyfile(APP / "index.html", out / "index.html")
    (out / MARK).write_text("kbx report replaces this folder when asked to write here again.\n")
