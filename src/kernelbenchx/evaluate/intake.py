"""Reads submissions: `.py` and `.cu` files, folders, JSONL data sets, fenced replies."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.submission import Origin, Submission
from kernelbenchx.evaluate.expectation import accepted_entries
from kernelbenchx.evaluate.extract import extract_source, file_source

MAX_BYTES = 64 << 20
_LANGUAGES = {".py": "triton", ".md": "triton", ".txt": "triton", ".cu": "cuda"}


@dataclass
class Intake:
    """What can be judged, and what cannot because its task is not in the catalogue."""

    submissions: list[Submission] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    """`submission (task)` of data-set rows and `file (task)` of folders without a task here."""
    unread: list[str] = field(default_factory=list)
    """Why a file of a folder could not be read; whoever names one file wants that one."""


def read(sources: Iterable[Path], task: str | None = None) -> Intake:
    """Everything in the sources; `task` overrides what file names say.

    `gelu.py` and `gelu__any_label.py` are submissions for gelu.
    """
    found = Intake()
    override = None
    if task is not None:
        chosen = catalog.select(task)
        if len(chosen) != 1:
            raise BadInput(f"--task {task} names {len(chosen)} tasks, expected one")
        override = chosen[0]
    for source in sources:
        if not source.exists():
            raise BadInput(f"{source} does not exist")
        if source.is_dir():
            _read_folder(source, override, found)
        elif source.suffix == ".jsonl":
            _read_rows(source, override, found)
        elif source.suffix in _LANGUAGES:
            named = override or _task_of(source)
            if named is None:
                raise BadInput(f"{source}: no task called {_stated(source)!r}; name it with --task")
            found.submissions.append(_read_file(source, named))
        else:
            raise BadInput(f"{source}: expected a .py, .md, .txt, .cu or .jsonl file or a folder")
    if not found.submissions:
        raise BadInput(f"no submission found in the sources given{_left_out(found)}")
    _give_distinct_names(found)
    return found


def _read_folder(folder: Path, override: str | None, found: Intake) -> None:
    """One stray file is named and left out, as a row of a data set is."""
    for path in sorted(folder.rglob("*")):
        read_one = Intake()
        try:
            if path.suffix == ".jsonl":
                _read_rows(path, override, read_one)
            elif _is_submission(path, override):
                named = override or _task_of(path)
                if named is None:
                    read_one.unknown.append(f"{path.relative_to(folder)} ({_stated(path)})")
                else:
                    read_one.submissions.append(_read_file(path, named))
        except BadInput as error:
            found.unread.append(str(error))
            continue
        found.submissions += read_one.submissions
        found.unknown += read_one.unknown


def _left_out(found: Intake) -> str:
    reasons = [*(f"no such task: {name}" for name in found.unknown), *found.unread]
    more = f"; and {len(reasons) - 3} more" if len(reasons) > 3 else ""
    return f": {'; '.join(reasons[:3])}{more}" if reasons else ""


def _is_submission(path: Path, override: str | None) -> bool:
    """Python files are; other texts only where their name says so, since folders hold notes."""
    if path.suffix not in _LANGUAGES or not path.is_file():
        return False
    if path.suffix == ".py":
        return not path.name.startswith("_")
    return (override or _task_of(path)) is not None


def _stated(path: Path) -> str:
    """What a file says its task is."""
    return path.stem.partition("__")[0]


def _task_of(path: Path) -> str | None:
    return catalog.find(_stated(path))


def _read_file(path: Path, task: str) -> Submission:
    text = _text(path)
    if path.suffix == ".py":
        text = file_source(text, accepted_entries(facts(task)))
    elif path.suffix != ".cu":
        text = _program(text, task)
    return Submission(
        name=path.stem,
        task=task,
        source=text,
        language=_LANGUAGES[path.suffix],
        origin=Origin(file=path.name),
    )


def _program(text: str, task: str) -> str:
    """Of a reply the block that defines what the task asks for."""
    return extract_source(text, accepted_entries(facts(task)))


def _read_rows(path: Path, override: str | None, found: Intake) -> None:
    for number, row in _rows(path):
        predict, file = row.get("predict"), row.get("file")
        if not isinstance(predict, str) or not isinstance(file, str):
            raise BadInput(f"{path}:{number}: expected an object with `predict` and `file`")
        label = str(row.get("id") or f"{path.stem}:{number}")
        name = override or catalog.find(file)
        if name is None:
            found.unknown.append(f"{label} ({file.removesuffix('.py')})")
            continue
        origin = Origin(
            file=path.name,
            model=str(row.get("model", "")),
            method=str(row.get("method", "")),
            round=str(row.get("round", "")),
        )
        found.submissions.append(
            Submission(name=label, task=name, source=_program(predict, name), origin=origin)
        )


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadInput(f"{path}:{number}: not JSON: {error}") from error
        if not isinstance(row, dict):
            raise BadInput(f"{path}:{number}: expected an object")
        yield number, row


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadInput(f"{path} is larger than {MAX_BYTES >> 20} MiB")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 text: {error}") from error
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error


def _give_distinct_names(found: Intake) -> None:
    """Two files of one name in different folders stay tellable apart."""
    seen: dict[str, int] = {}
    for position, one in enumerate(found.submissions):
        count = seen[one.name] = seen.get(one.name, 0) + 1
        if count > 1:
            import msgspec

            renamed = msgspec.structs.replace(one, name=f"{one.name}#{count}")
            found.submissions[position] = renamed
