"""Reads submissions: `.py` and `.cu` files, folders, JSONL data sets, replies, earlier runs."""

import glob
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from kernelbenchx import catalog
from kernelbenchx.catalog import PROBLEMS_HINT
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.kernelbench import find_problem
from kernelbenchx.catalog.problem_folders import holds_problems
from kernelbenchx.catalog.published_signatures import published_signatures
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.kernelbench_names import read_kernel_name
from kernelbenchx.core.not_judged import NotJudged, WhyNotJudged
from kernelbenchx.core.submission import Origin, Submission
from kernelbenchx.core.text import LONGEST_PATH, label, replace_surrogates
from kernelbenchx.evaluate.expectation import accepted_entries
from kernelbenchx.evaluate.extract import extract_source, file_source
from kernelbenchx.evaluate.jsonl import JsonlRow, read_rows
from kernelbenchx.evaluate.run_submissions import is_run, submissions_of
from kernelbenchx.store.suggestions import suggest_name, suggest_run

MAX_BYTES = 64 << 20
ROWS_TOLD = 500
"""Progress is reported after so many rows."""
_LANGUAGES = {".py": "triton", ".md": "triton", ".txt": "triton", ".cu": "cuda"}
_LONGEST_NAME = 200
"""Longest name of a task; a longer one names none."""
_ENTRY = re.compile(
    r"Wrapper Entry Information\s*:\s*(?:(?:def|class)\s+)?([A-Za-z_][\w.]*)\s*\(", re.IGNORECASE
)
"""Finds the signature in the published instructions."""


@dataclass
class Intake:
    """What can be judged, and what cannot: each row and each file is in one of the two."""

    submissions: list[Submission] = field(default_factory=list)
    not_judged: list[NotJudged] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    """The sources as they were named."""
    refused: list[str] = field(default_factory=list)
    """Why named sources cannot be read; they are among `not_judged`, too."""
    rows: int = 0
    """Rows of data sets; all others are files."""
    tell: Callable[[int], None] | None = field(default=None, repr=False, compare=False)
    """Called with the number of rows read so far, now and then."""

    @property
    def total(self) -> int:
        """Number of rows and files."""
        return len(self.submissions) + len(self.not_judged)

    @property
    def unknown(self) -> list[str]:
        """`submission (task)` of rows, `file (task)` of folders, whose task is not in the
        catalogue."""
        return [
            f"{one.name} ({one.detail})"
            for one in self.not_judged
            if one.why is WhyNotJudged.UNKNOWN_TASK
        ]

    @property
    def unread(self) -> list[str]:
        """Why a row, or a file of a folder, cannot be read."""
        return [one.detail for one in self.not_judged if one.why is WhyNotJudged.UNREADABLE]

    def leave_out(self, source: Path, name: str, why: WhyNotJudged, detail: str) -> None:
        """Count a source that is not judged."""
        self.not_judged.append(NotJudged(source=str(source), name=name, why=why, detail=detail))

    def refuse(self, source: Path, why: str) -> None:
        """Record a named source that cannot be read."""
        self.refused.append(why)
        self.leave_out(source, source.name, WhyNotJudged.UNREADABLE, why)


def read_intake(
    sources: Iterable[Path],
    task: str | None = None,
    *,
    tell: Callable[[int], None] | None = None,
) -> Intake:
    """Everything in the sources; `task` overrides what file names say.

    `gelu.py` and `gelu__any_label.py` are submissions for gelu; files of a KernelBench run folder
    name their problem by its number. A source that cannot be read does not stop the others.
    """
    found = Intake(tell=tell)
    override = None
    if task is not None:
        chosen = catalog.select(task)
        if len(chosen) != 1:
            raise BadInput(f"`task={task!r}` names {len(chosen)} tasks, expected one")
        override = chosen[0]
    for source in sources:
        found.sources.append(label(str(source), LONGEST_PATH))
        try:
            _read_source(source, override, found)
        except (BadInput, OSError) as error:
            found.refuse(source, _describe(error, source))
    if not found.submissions:
        if len(found.refused) == len(found.sources) == 1:
            raise BadInput(found.refused[0])
        raise BadInput(f"no submission found in the sources given{_summarize_left_out(found)}")
    _give_distinct_names(found)
    return found


def _describe(error: BadInput | OSError, source: Path) -> str:
    return f"{source}: {error.strerror}" if isinstance(error, OSError) else str(error)


def _read_source(source: Path, override: str | None, found: Intake) -> None:
    if not source.exists():
        others = source.parent.iterdir() if source.parent.is_dir() else ()
        raise BadInput(f"{source} does not exist{suggest_name(source, others)}")
    if source.is_dir():
        (_read_run if is_run(source) else _read_folder)(source, override, found)
    elif source.suffix == ".jsonl":
        _read_data_set(source, source, override, found)
    elif source.suffix in _LANGUAGES:
        named = override or _task_of(source)
        if named is None:
            hint = PROBLEMS_HINT if _is_of_kernelbench(source) else ""
            stated = label(_read_stated_task(source))
            raise BadInput(f"{source}: no task called {stated!r}; name it with `task`{hint}")
        found.submissions.append(_read_file(source, named))
    else:
        raise BadInput(f"{source}: expected a .py, .md, .txt, .cu or .jsonl file or a folder")


def _is_of_kernelbench(path: Path) -> bool:
    return read_kernel_name(path.stem) is not None or holds_problems(path.parent.parent)


def _read_folder(folder: Path, override: str | None, found: Intake) -> None:
    """Read a folder; a stray file is named and left out, like a bad row of a data set."""
    before, left_out = len(found.submissions), len(found.not_judged)
    for path in sorted(folder.rglob("*")):
        try:
            if path.suffix == ".jsonl":
                _read_data_set(path, folder, override, found)
            elif _is_submission(path, override):
                named = override or _task_of(path)
                if named is None:
                    name = str(path.relative_to(folder))
                    found.leave_out(
                        folder, name, WhyNotJudged.UNKNOWN_TASK, _read_stated_task(path)
                    )
                else:
                    found.submissions.append(_read_file(path, named))
        except BadInput as error:
            name = str(path.relative_to(folder))
            found.leave_out(folder, name, WhyNotJudged.UNREADABLE, str(error))
    if len(found.submissions) == before:
        hint = PROBLEMS_HINT if holds_problems(folder) else suggest_run(folder)
        if hint:
            del found.not_judged[left_out:]
        if len(found.not_judged) == left_out:
            raise BadInput(f"{folder} holds no submission{hint}")


def _read_run(run: Path, override: str | None, found: Intake) -> None:
    if override is not None:
        raise BadInput(f"{run} is a run, whose submissions have their tasks: leave `task` out")
    kept = submissions_of(run)
    if not kept:
        raise BadInput(f"{run} holds no submission")
    for one in kept:
        if _find_task(one.task) is None:
            found.leave_out(run, one.name, WhyNotJudged.UNKNOWN_TASK, one.task)
        else:
            found.submissions.append(one)


def _summarize_left_out(found: Intake) -> str:
    reasons = [str(one) for one in found.not_judged]
    more = f"; and {len(reasons) - 3} more" if len(reasons) > 3 else ""
    return f": {'; '.join(reasons[:3])}{more}" if reasons else ""


def _is_submission(path: Path, override: str | None) -> bool:
    """Python files are submissions; other texts only if their name says so, since folders hold
    notes."""
    if path.suffix not in _LANGUAGES or not path.is_file():
        return False
    if path.suffix == ".py":
        return not path.name.startswith("_")
    return (override or _task_of(path)) is not None


def _read_stated_task(path: Path) -> str:
    """What a file says its task is."""
    kernel = read_kernel_name(path.stem)
    return path.stem.partition("__")[0] if kernel is None else str(kernel)


def _task_of(path: Path) -> str | None:
    kernel = read_kernel_name(path.stem)
    if kernel is not None:
        return find_problem(kernel.level, kernel.problem)
    return _find_task(_read_stated_task(path))


@cache
def _find_task(name: str) -> str | None:
    """The task of exactly that name: names from files are never used as patterns."""
    return catalog.find(glob.escape(name)) if len(name) <= _LONGEST_NAME else None


@cache
def _find_by_entry(entry: str) -> str | None:
    """The task whose entry or name that is, if there is one, also by a published name."""
    hits = [task for task in catalog.names() if facts(task).entry == entry]
    if not hits:
        hits = [task for task in catalog.names() if entry in published_signatures(task).entries]
    return hits[0] if len(hits) == 1 else _find_task(entry)


def _read_file(path: Path, task: str) -> Submission:
    text = _read_text(path)
    if path.suffix == ".py":
        text = file_source(text, accepted_entries(facts(task)))
    elif path.suffix != ".cu":
        text = _program(text, task)
    return Submission(
        name=label(path.stem) or "unnamed",
        task=task,
        source=text,
        language=_LANGUAGES[path.suffix],
        origin=Origin(file=path.name),
    )


def _program(text: str, task: str) -> str:
    """The program; of a reply, the block that defines what the task asks for."""
    return extract_source(text, accepted_entries(facts(task)))


def _read_data_set(path: Path, source: Path, override: str | None, found: Intake) -> None:
    before = found.rows
    for row in read_rows(path):
        found.rows += 1
        if found.tell is not None and found.rows % ROWS_TOLD == 0:
            found.tell(found.rows)
        name = _name_row(row, path)
        stated = "" if override else _read_row_task(row.values)
        predict = row.values.get("predict")
        why = row.error or ("" if isinstance(predict, str) else "expected text in `predict`")
        if not why and not (override or stated):
            why = "expected text in `file`, or an `instruction` with `Wrapper Entry Information:`"
        if why:
            found.leave_out(source, name, WhyNotJudged.UNREADABLE, f"{path}:{row.number}: {why}")
            continue
        task = override or _task_of_row(row.values, stated)
        if task is None:
            found.leave_out(source, name, WhyNotJudged.UNKNOWN_TASK, label(stated))
            continue
        assert isinstance(predict, str)
        text = _program(replace_surrogates(predict), task)
        origin = _origin(row.values, path)
        found.submissions.append(Submission(name=name, task=task, source=text, origin=origin))
    if found.rows == before:
        raise BadInput(f"{path} holds no rows")


def _read_row_task(values: dict[str, Any]) -> str:
    """The task as a row names it: by its file, else by the entry that its instruction asks for."""
    file, instruction = values.get("file"), values.get("instruction")
    if isinstance(file, str):
        return file.removesuffix(".py")
    asked = _ENTRY.search(instruction) if isinstance(instruction, str) and file is None else None
    return asked[1].rpartition(".")[2] if asked else ""


def _task_of_row(values: dict[str, Any], stated: str) -> str | None:
    return _find_task(stated) if isinstance(values.get("file"), str) else _find_by_entry(stated)


def _name_row(row: JsonlRow, path: Path) -> str:
    given = row.values.get("id")
    shown = label(str(given)) if isinstance(given, str | int) else ""
    return shown or f"{path.stem}:{row.number}"


def _origin(values: dict[str, Any], path: Path) -> Origin:
    def read_label(key: str) -> str:
        value = values.get(key)
        return label(str(value)) if isinstance(value, str | int | float) else ""

    return Origin(
        file=path.name,
        model=read_label("model"),
        method=read_label("method"),
        round=read_label("round"),
    )


def _read_text(path: Path) -> str:
    try:
        if not path.is_file():
            raise BadInput(f"{path} is not a file")
        if path.stat().st_size > MAX_BYTES:
            raise BadInput(f"{path} is larger than {MAX_BYTES >> 20} MiB")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 text: {error}") from error
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error


def _give_distinct_names(found: Intake) -> None:
    """Make names distinct: two files in different folders may have one name."""
    taken = {one.name for one in found.submissions}
    seen: Counter[str] = Counter()
    for position, one in enumerate(found.submissions):
        seen[one.name] += 1
        if seen[one.name] == 1:
            continue
        while (name := f"{one.name}#{seen[one.name]}") in taken:
            seen[one.name] += 1
        taken.add(name)
        found.submissions[position] = msgspec.structs.replace(one, name=name)
