"""Write the generated parts of methods.md and generate.md in docs/reference.

    python scripts/write_generate_docs.py [--check]

Between `<!-- options NAME -->` and `<!-- end -->` stands a table of a method's options, between
`<!-- feedback NAME -->` and `<!-- end -->` the feedback on a recorded kernel. With --check nothing
is written; the exit status says whether the documents are up to date.
"""

import json
import re
import sys
from pathlib import Path

import msgspec

from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.generate import methods
from kernelbenchx.generate.feedback import feedback

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = (
    ROOT / "docs" / "reference" / "methods.md",
    ROOT / "docs" / "reference" / "generate.md",
)
RECORDED = ROOT / "tests" / "generate" / "recorded"
PART = re.compile(r"(<!-- (options|feedback) (\w+) -->\n)(.*?)(<!-- end -->\n)", re.DOTALL)


def main(check: bool) -> int:
    """Both documents; 1 where one was not up to date and nothing was to be written."""
    stale = [path for path in DOCUMENTS if written(path.read_text(encoding="utf-8")) != read(path)]
    for path in stale:
        print(f"{path.relative_to(ROOT)} is {'stale' if check else 'written'}")
        if not check:
            path.write_text(written(read(path)), encoding="utf-8")
    return int(check and bool(stale))


def read(path: Path) -> str:
    """The text of a document."""
    return path.read_text(encoding="utf-8")


def written(text: str) -> str:
    """The text with its parts made anew."""

    def part(found: re.Match[str]) -> str:
        kind, name = found[2], found[3]
        made = options(name) if kind == "options" else told(name)
        return f"{found[1]}{made}{found[5]}"

    return PART.sub(part, text)


def options(name: str) -> str:
    """A row for each option of a method; nothing for a method that is not there."""
    if name not in methods.names():
        return ""
    rows = [f"| `{one.name}` | `{one.default}` | {one.words} |" for one in methods.options_of(name)]
    return "\n".join(["| option | default | what it decides |", "|---|---|---|", *rows]) + "\n"


def told(name: str) -> str:
    """What the author of a recorded kernel is told."""
    held = json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8"))
    evaluation = msgspec.convert(held["evaluation"], Evaluation, strict=False)
    said = feedback(evaluation, held["source"], statement(held["task"]))
    return f"```\n{said}\n```\n"


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
