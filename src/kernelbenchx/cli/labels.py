"""A file with own labels: a task and its category in each line."""

import csv
from collections.abc import Mapping
from pathlib import Path

from kernelbenchx.core.errors import BadInput

HEADER = ["task", "category"]


def read_labels(path: Path) -> Mapping[str, str]:
    """By task, as the file names it; a first line `task,category` may be there."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot read {path}: {error}") from error
    found: dict[str, str] = {}
    for number, row in enumerate(csv.reader(text.splitlines()), start=1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or (number == 1 and cells == HEADER):
            continue
        if len(cells) != len(HEADER) or not all(cells):
            raise BadInput(f"{path}, line {number}: a task and a category, separated by a comma")
        task, category = cells
        if found.setdefault(task, category) != category:
            raise BadInput(f"{path}, line {number}: {task} is {found[task]} above")
    if not found:
        raise BadInput(f"{path} holds no label: each line is a task and its category")
    return found
