"""Every table of every analysis of a study, kept in its folder."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kernelbenchx.core.standards import Standard

if TYPE_CHECKING:
    from kernelbenchx.analysis.attempt import Attempt

ALL = "all.json"


def write_tables(
    runs: Sequence[Path], folder: Path, standard: Standard = Standard.STRICT
) -> "list[Attempt]":
    """As CSV, one file for each table, and as one JSON document; returns what they rest on."""
    from kernelbenchx.cli.analysis_registry import (
        parse_request,
        read,
        run_analyses,
        without_evaluations,
    )

    asked = parse_request([str(run) for run in runs], (), standard=standard)
    attempts = read(asked)
    if not attempts:
        asked = without_evaluations(asked)
    folder.mkdir(parents=True, exist_ok=True)
    found = dict(run_analyses(asked, attempts))
    for analysis, tables in found.items():
        for table in tables:
            path = folder / f"{analysis}.{table.name}.csv"
            path.write_text(table.to_csv(), encoding="utf-8")
    plain = {name: [one.to_plain() for one in tables] for name, tables in found.items()}
    document = {"runs": [run.name for run in runs], "analyses": plain}
    (folder / ALL).write_text(json.dumps(document, indent=1), encoding="utf-8")
    return attempts
