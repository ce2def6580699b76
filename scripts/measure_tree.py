"""Print how large the tree is and how its names read, beside another revision if asked.

    python scripts/measure_tree.py [--since REV] [--list]

Lines are physical lines of Python files, blank lines and comments included; tables of data and
built files are left out. A name is on the word list if it holds a word that only this project used.
Submissions (attacks, controls, preludes, witnesses, demos) are counted in lines only: their names
are what a model would write. `--list` prints what was counted. Exit status 1: a limit is exceeded.
"""

import argparse
import ast
import re
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "kernelbenchx"
SMALL = 50
"""Lines of a file that is too small to stand alone if only one other file imports it."""
WORDS = re.compile(
    "(card|crew|desk|wall|warmth|nobody|somebody|everybody|stranger|office|ours|theirs|anew|pace)s?"
)
EXEMPT = re.compile(r"(?i)data_?card|wall_(s$|clock)")
"""A card for a data set, and wall-clock time."""
SUBMISSIONS = (
    "attacks/suite", "attacks/controls", "attacks/preludes", "witnesses", "demo"
)  # fmt: skip

_PARTICIPLE = re.compile(
    "[a-z]+(ed|en|aid|ade|ept|eld|ung|ound|own|ought|aught)|told|left|gone|begun|sent|built|met|"
    "put|set|lost|cut|hit|split|drawn|run|made|done|read|heard|fed|led|bent|lent|spent|meant|felt|"
    "dealt|stuck|struck|won|worn|torn|born|borne|sworn|sunk|drunk|ours|theirs"
)
_OTHER = re.compile(
    "need|seed|reseed|open|feed|speed|exceed|proceed|embed|token|listen|between|when|then|even|"
    "screen|down|own|around|round|bound|sound|ground|background|green|thread|read|spread|run|set|"
    "put|cut|hit|split|shed|indeed|red|len|children|often|seven|ten|happen|widen|broaden|flatten|"
    "[a-z]+(rt|ght|gth)en|shutdown"
)
"""Verbs and nouns that have the form of a participle."""


def is_participle(name: str) -> bool:
    """Whether a name is a participle and nothing else."""
    word = name.strip("_")
    return bool(_PARTICIPLE.fullmatch(word)) and not _OTHER.fullmatch(word)


def is_dialect(name: str) -> bool:
    """Whether a name holds a word of the list, in the singular or the plural."""
    if EXEMPT.search(name):
        return False
    parts = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower().split("_")
    return any(map(WORDS.fullmatch, parts))


class Definition(NamedTuple):
    """A function or a class."""

    place: str
    name: str
    is_class: bool
    is_property: bool


@dataclass(frozen=True)
class Source:
    """What is measured of a file of the package."""

    lines: int
    definitions: tuple[Definition, ...]
    imports: frozenset[str]
    """Paths in the package, without an ending, that it may import."""

    @classmethod
    def parse(cls, path: str, text: str) -> "Source":
        """`path` is that in the package."""
        nodes = list(ast.walk(ast.parse(text)))
        found = (_definition(path, node) for node in nodes)
        imports = (name for node in nodes for name in _imported(path, node))
        definitions = tuple(one for one in found if one is not None)
        return cls(len(text.splitlines()), definitions, frozenset(imports))


@dataclass(frozen=True)
class Tree:
    """A checkout; files that are not Python do not count."""

    root: Path

    @cached_property
    def sources(self) -> dict[str, Source]:
        """By path in the package, without submissions."""
        package = self.root / "src" / PACKAGE
        paths = ((path.relative_to(package).as_posix(), path) for path in package.rglob("*.py"))
        return {
            name: Source.parse(name, path.read_text(encoding="utf-8"))
            for name, path in sorted(paths)
            if not name.startswith(SUBMISSIONS)
        }

    def count_lines(self) -> Counter[str]:
        """Lines by room."""
        found: Counter[str] = Counter()
        for top in ("src", "tests"):
            folder = self.root / top
            for path in folder.rglob("*.py"):
                name = path.relative_to(folder).as_posix().removeprefix(f"{PACKAGE}/")
                found[find_room(top, name)] += len(path.read_text(encoding="utf-8").splitlines())
        return found

    def list_repeated_classes(self) -> list[str]:
        """Names of classes that mean several things, with the files."""
        places = defaultdict(list)
        for one in self._definitions():
            if one.is_class:
                places[one.name.strip("_")].append(one.place)
        return [f"{name}: {', '.join(at)}" for name, at in sorted(places.items()) if len(at) > 1]

    def list_participles(self) -> list[str]:
        """Functions that are bare participles; properties may be."""
        return [
            f"{one.place} {one.name}"
            for one in self._definitions()
            if not (one.is_class or one.is_property) and is_participle(one.name)
        ]

    def list_dialect(self) -> list[str]:
        """Modules, classes and functions with a word of the list in their name."""
        modules = [one for one in self.sources if any(map(is_dialect, one[:-3].split("/")))]
        named = (f"{one.place} {one.name}" for one in self._definitions() if is_dialect(one.name))
        return [*modules, *named]

    def list_small_files(self) -> list[str]:
        """Files under 50 lines that one other file imports, which lies in the same folder."""
        importers: dict[str, set[str]] = defaultdict(set)
        for path, source in self.sources.items():
            for name in source.imports:
                for candidate in {f"{name}.py", f"{name}/__init__.py"} - {path}:
                    importers[candidate].add(path)
        found = []
        for path, source in self.sources.items():
            who = importers[path]
            if source.lines < SMALL and len(who) == 1 and Path(path).name != "__init__.py":
                (only,) = who
                if Path(only).parent == Path(path).parent:
                    found.append(f"{path} ({source.lines} lines): {Path(only).name}")
        return found

    def _definitions(self) -> Iterator[Definition]:
        """Without those of tasks: they have published names."""
        for path, source in self.sources.items():
            if not path.startswith("tasks/"):
                yield from source.definitions


def find_room(top: str, path: str) -> str:
    """The room of a file, by its path under `src/kernelbenchx` or `tests`."""
    if top == "tests":
        return "tests"
    first = path.split("/")[0]
    if first in ("tasks", "witnesses"):
        return "tasks and witnesses"
    return first if first in ("attacks", "demo") else "machinery"


def _definition(path: str, node: ast.AST) -> Definition | None:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return None
    is_property = any("property" in ast.unparse(one) for one in node.decorator_list)
    is_class = isinstance(node, ast.ClassDef)
    return Definition(f"{path}:{node.lineno}", node.name, is_class, is_property)


def _imported(path: str, node: ast.AST) -> Iterator[str]:
    folder = path.split("/")[:-1]
    if isinstance(node, ast.Import):
        modules = [one.name.split(".") for one in node.names]
    elif isinstance(node, ast.ImportFrom):
        above = folder[: len(folder) - node.level + 1] if node.level else []
        base = above + (node.module.split(".") if node.module else [])
        modules = [base, *([*base, one.name] for one in node.names)]
    else:
        return
    for parts in modules:
        # The worker is also imported without its parent package.
        yield "/".join(parts[1:] if parts[:1] == [PACKAGE] else parts)


@dataclass(frozen=True)
class Measure:
    """A row of the table that has a limit."""

    title: str
    find: Callable[[Tree], list[str]]
    most: int


MEASURES = (
    Measure("class names used twice", Tree.list_repeated_classes, 10),
    Measure("functions that are bare participles", Tree.list_participles, 20),
    Measure("files under 50 lines with one importer beside", Tree.list_small_files, 40),
    Measure("names on the word list", Tree.list_dialect, 0),
)
ROOMS = {"tests": 68_000, "attacks": 12_000, "machinery": None, "tasks and witnesses": None}
"""With the most lines each may have."""


def measure(tree: Tree) -> dict[str, int]:
    """The numbers of a tree, by row."""
    lines = tree.count_lines()
    rooms = {f"lines of {room}": lines[room] for room in sorted(ROOMS)}
    return rooms | {one.title: len(one.find(tree)) for one in MEASURES}


def limits() -> dict[str, int | None]:
    """The most that each row may show."""
    rooms = {f"lines of {room}": most for room, most in ROOMS.items()}
    return rooms | {one.title: one.most for one in MEASURES}


def unpack_revision(revision: str, folder: Path) -> None:
    """Write the Python files of a revision into a folder."""
    archive = folder / "tree.tar"
    command = ["git", "archive", "--output", str(archive), revision, "src", "tests"]
    subprocess.run(command, cwd=ROOT, check=True)
    with tarfile.open(archive) as files:
        files.extractall(folder, filter="data")


def render(columns: dict[str, dict[str, int]]) -> list[str]:
    """A line for each row, a column for each tree, and the limit."""
    most = limits()
    width = max(map(len, most))
    lines = [" " * width + "".join(f"{name:>14}" for name in (*columns, "at most"))]
    for row in next(iter(columns.values())):
        numbers = [f"{column[row]:,}" for column in columns.values()]
        limit = most[row]
        numbers.append("" if limit is None else f"{limit:,}")
        lines.append(f"{row:<{width}}" + "".join(f"{one:>14}" for one in numbers))
    return [line.rstrip() for line in lines]


def list_exceeded(numbers: dict[str, int]) -> list[str]:
    """Rows that show more than they may."""
    found = []
    for row, most in limits().items():
        if most is not None and numbers[row] > most:
            found.append(row)
    return found


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--since", metavar="REV", help="measure this revision, too")
    parser.add_argument("--list", action="store_true", help="print what was counted")
    given = parser.parse_args()
    columns = {}
    if given.since:
        with tempfile.TemporaryDirectory() as folder:
            unpack_revision(given.since, Path(folder))
            columns[given.since[:12]] = measure(Tree(Path(folder)))
    tree = Tree(ROOT)
    columns["here"] = measure(tree)
    print(*render(columns), sep="\n")
    if given.list:
        for one in MEASURES:
            print(f"\n{one.title}:", *(f"  {found}" for found in one.find(tree)), sep="\n")
    return int(bool(list_exceeded(columns["here"])))


if __name__ == "__main__":
    sys.exit(main())
