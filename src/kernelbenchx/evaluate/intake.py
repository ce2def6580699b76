"""Reads submissions: `.py` and `.cu` files, folders, JSONL data sets, fenced replies."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kernelbenchx import catalog
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.submission import Origin, Submission
from kernelbenchx.evaluate.extract import extract_source

MAX_BYTES = 64 << 20
_LANGUAGES = {".py": "triton", ".md": "triton", ".txt": "triton", ".cu": "cuda"}


@dataclass
class Intake:
    """What can be judged, and what cannot because its task is not in the catalogue."""

    submissions: list[Submission] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    """`submission (task)` of data-set rows without a task here."""


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
            found.submissions.append(_read_file(source, override))
        else:
            raise BadInput(f"{source}: expected a .py, .md, .txt, .cu or .jsonl file or a folder")
    if not found.submissions and not found.unknown:
        raise BadInput("no submission found in the sources given")
    _give_distinct_names(found)
    return found


def _read_folder(folder: Path, override: str | None, found: Intake) -> None:
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".jsonl":
            _read_rows(path, override, found)
        elif _is_submission(path, override):
            found.submissions.append(_read_file(path, override))


def _is_submission(path: Path, override: str | None) -> bool:
    """Python files are; other texts only where their name says so, since folders hold notes."""
    if path.suffix == ".py":
        return not path.name.startswith("_")
    named = override or catalog.find(path.stem.partition("__")[0])
    return path.suffix in _LANGUAGES and named is not None


def _read_file(path: Path, override: str | None) -> Submission:
    text = _text(path)
    name = override or catalog.find(path.stem.partition("__")[0])
    if name is None:
        raise BadInput(f"{path}: no task called {path.stem!r}; name it with --task")
    language = _LANGUAGES[path.suffix]
    return Submission(
        name=path.stem,
        task=name,
        source=extract_source(text) if language == "triton" else text,
        language=language,
        origin=Origin(file=path.name),
    )


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
            Submission(name=label, task=name, source=extract_source(predict), origin=origin)
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
