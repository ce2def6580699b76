"""Make the data of published tests from a copy of the KernelBench-X repository, and check it.

    python scripts/convert_published_tests.py FOLDER [--check] [TASK ...]

FOLDER holds `data/kernelbenchx` and `utils/data_utils.py`. Each test runs with stand-ins for torch
and the function under test, which record every operation by name. Then the test as it is and the
recorded program run on the CPU: all arguments of all calls, and all results, must be equal bit for
bit. `--check` writes nothing; the exit status says whether the data is what would be written.
"""

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from published_test_check import difference, fill_empty_memory
from published_test_files import TestFile, give_torch_unpivoted_lu
from published_test_recorder import record

from kernelbenchx.catalog import PUBLISHED_CATEGORIES
from kernelbenchx.catalog.published_tests import FOLDER

OURS = {published: ours for ours, published in PUBLISHED_CATEGORIES.items()}
_WIDTH = 100


def main(folder: Path, names: list[str], check: bool) -> int:
    """All tasks, or those that are named; 1 if a program differs from its test, or the data."""
    give_torch_unpivoted_lu()
    fill_empty_memory()
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    failed = 0
    metadata = json.loads((folder / "data/kernelbenchx_v1.json").read_text("utf-8"))
    listed = {one["file"]: one for one in metadata}
    for path in sorted((folder / "data/kernelbenchx").glob("*/*.py")):
        name = f"{OURS[path.parent.name]}/{path.stem}"
        if names and name not in names:
            continue
        described, problem = converted(TestFile.read(name, path, folder))
        known = listed.get(f"{path.parent.name}/{path.name}", {})
        described["difficulty"] = known.get("difficulty")
        described["thresholds"] = _thresholds(known.get("precision_thresholds"))
        if problem:
            failed += 1
            print(f"{name}: {problem}")
        category, task = name.split("/")
        kept = {key: value for key, value in described.items() if value not in (None, "", [])}
        found[category][task] = kept
    stale = 0
    for category, tasks in found.items():
        stale += written(FOLDER / f"{category}.json", tasks, bool(names), check)
    count = sum(map(len, found.values()))
    print(f"{count} tests, {failed} not as published; files that were stale: {stale}")
    return int(bool(failed or (check and stale)))


def _thresholds(published: dict[str, float] | None) -> dict[str, float] | None:
    if published is None:
        return None
    names = {"cosine": "cosine_sim", "l1": "l1_relative", "rmse": "rmse"}
    return {ours: published[theirs] for ours, theirs in names.items()}


def converted(test: TestFile) -> tuple[dict[str, Any], str]:
    """The record of one test, and what differs when it runs."""
    described: dict[str, Any] = {"calls": test.entry, "needs": test.needs}
    try:
        program = record(test)
    except Exception as error:  # noqa: BLE001 - whatever a test does, it is named
        return described, f"cannot be recorded: {type(error).__name__}: {error}"
    return {**described, **program}, difference(test, program)


def written(path: Path, tasks: dict[str, Any], partly: bool, check: bool) -> bool:
    """Whether the file was stale."""
    old = path.read_text("utf-8") if path.exists() else "{}"
    known = {**json.loads(old), **tasks} if partly else tasks
    new = spelled(known)
    if new == old:
        return False
    if not check:
        path.write_text(new, encoding="utf-8")
    return True


def spelled(tasks: dict[str, Any]) -> str:
    """One step a line."""
    parts = []
    for name, task in sorted(tasks.items()):
        steps = ",\n".join(f"   {_line(step)}" for step in task.get("steps", []))
        head = "".join(f'  "{key}": {_line(task[key])},\n' for key in task if key != "steps")
        parts.append(f' "{name}": {{\n{head}  "steps": [\n{steps}\n  ]\n }}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _line(value: Any) -> str:
    return json.dumps(value, allow_nan=False)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("tasks", nargs="*")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    sys.exit(main(given.folder, given.tasks, given.check))
