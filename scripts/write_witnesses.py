"""Writes the witness of every task as a submission: `python scripts/write_witnesses.py FOLDER`."""

import sys
from pathlib import Path

from kernelbenchx import catalog
from kernelbenchx.catalog.witness import witness_source


def main(folder: Path) -> None:
    """One file per task, named so that `kbx eval FOLDER` knows the task."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in catalog.names():
        bare = name.partition("/")[2]
        (folder / f"{bare}.py").write_text(witness_source(name), encoding="utf-8")
    print(f"{len(catalog.names())} witnesses in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
