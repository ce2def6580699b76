"""Check the language of documents and messages: short sentences, no dialect.

    python scripts/check_words.py [FILE...]

Without files it checks README, CHANGELOG, CONTRIBUTING, every page under docs/, the prompts, and
the messages of the package: help texts, errors, results. It reports sentences with more than 40
words and words of the list below. Code, quoted output and generated tables are exempt. Exit status
1: it found something.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "kernelbenchx"
MOST_WORDS = 40
EXEMPT = (
    "spec",
    "tasks",
    "witnesses",
    "certify",
    "attacks/suite",
    "attacks/controls",
    "attacks/preludes",
    "demo",
)
"""Folders of the package whose texts are parts of tasks, certificates or sample programs."""

DIALECT = {
    r"some(body|one)": "name the person or the process",
    r"nobody": "name what does not happen",
    r"every(body|one)|anybody": "name the people or the processes",
    r"whoever|whosoever": "name the person or the process, or write 'you'",
    r"who (is|are) (timed|judged)": "submission",
    r"made of": "composition, or consists of",
    r"pace": "speed class",
    r"(?<!data )(?<!model )cards?(?! for a data set)": "GPU",
    r"walls?(?![- ]time)": "host-timed",
    r"warm parents?|warmth": "warm worker",
    r"crews?": "process slots",
    r"our side|of ours": "the evaluator, or kbx",
    r"limits? of physics": "roofline",
    r"(judge|card|bench)'s clock": "host-timed, device time",
    r"anew": "again, or new",
    r"gone on with|goes? on where": "resumed, continues",
    r"to blame": "name the cause",
    r"strangers?": "untrusted, or other processes",
    r"desk": "context",
    r"beforehand": "in advance, before",
    r"as good as any": "say what is equal",
    r"comes? about": "is measured, is computed",
    r"is to be had": "is available",
}
"""Words that only this project used, and what to write instead."""

_FENCE = re.compile(r"^( *)(```+|~~~+).*?^\1\2`*\s*$", re.M | re.S)
_MADE = re.compile(r"^<!-- ([^/\n]+?) -->$.*?^<!-- (?:/\1|end) -->$", re.M | re.S)
_COMMENT = re.compile(r"<!--.*?-->", re.S)
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.S)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_NEW_UNIT = re.compile(r"\s*(#|\||[-*+] |\d+\. |>|!!!)")
_END = re.compile(r"(?<=[.!?])[\"')*]*\s+(?=[\"'(*\[]*[A-Z0-9`X])")
_CODE_TEXT = re.compile(
    r"\s*((SELECT|INSERT|CREATE|UPDATE|DELETE|ALTER|CASE|WHERE)\b|\w+ TEXT\b|\w+\[|\w+ \| None$)"
)
"""SQL and types."""
_WORDS = {
    re.compile(rf"(?<![\w$-])(?:{word})(?![\w-])", re.I): say for word, say in DIALECT.items()
}


class Unit(NamedTuple):
    """A paragraph, list item, table cell or message, with the line where it begins."""

    line: int
    text: str


def blank(found: re.Match[str]) -> str:
    """As many lines, and no words."""
    return "\n" * found[0].count("\n")


def document(text: str) -> Iterator[Unit]:
    """The prose of a Markdown page; code becomes one placeholder word."""
    for pattern in (_FENCE, _MADE, _COMMENT):
        text = pattern.sub(blank, text)
    text = _CODE.sub(lambda found: "X" + blank(found), text)
    text = _LINK.sub(r"\1", text)
    held: list[str] = []
    start = 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        code = line.startswith("    ") and not held
        if (not line.strip() or code or _NEW_UNIT.match(line)) and held:
            yield Unit(start, " ".join(held))
            held = []
        if line.lstrip().startswith("|"):
            yield from (Unit(number, cell.strip()) for cell in line.split("|") if cell.strip())
        elif line.strip() and not code:
            start = start if held else number
            held.append(line.strip())


def prompt(text: str) -> Iterator[Unit]:
    """The lines of a template."""
    yield from (Unit(number, line) for number, line in enumerate(text.splitlines(), 1))


def messages(source: str) -> Iterator[Unit]:
    """The texts of a Python file that a user may read: help of commands, and every string of
    several words that is not a docstring. Examples after \\b are left out.
    """
    tree = ast.parse(source)
    hidden = {id(node) for node in _statements(tree)} - {id(node) for node in _helps(tree)}
    joined = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    hidden |= {id(part) for node in joined for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [
                str(one.value) if isinstance(one, ast.Constant) else "X" for one in node.values
            ]
            texts = "".join(parts).split("\n\n")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts = [] if id(node) in hidden else node.value.split("\n\n")
        else:
            continue
        for one in texts:
            if _is_prose(one):
                yield Unit(node.lineno, one)


def _is_prose(text: str) -> bool:
    """Not examples of a help text, SQL, types or long lists of names."""
    if "\b" in text or " " not in text.strip() or _CODE_TEXT.match(text):
        return False
    return len(text.split()) <= MOST_WORDS or re.search(r"[.,:;?](\s|$)", text) is not None


def _statements(tree: ast.Module) -> Iterator[ast.Constant]:
    """Strings that are statements: docstrings, also of attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def _helps(tree: ast.Module) -> Iterator[ast.Constant]:
    """Docstrings that click prints: those of commands and groups."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(
            re.search(r"\.(command|group)\b", ast.unparse(one)) for one in node.decorator_list
        ):
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield first.value


def long_sentences(unit: Unit) -> Iterator[str]:
    """A line for each sentence with too many words."""
    for sentence in _END.split(unit.text):
        count = len(re.findall(r"[^\s/]*\w[^\s/]*", sentence))
        if count > MOST_WORDS:
            yield f"{count} words in a sentence: {' '.join(sentence.split()[:9])} ..."


def dialect(unit: Unit) -> Iterator[str]:
    """A line for each word of the list."""
    for pattern, instead in _WORDS.items():
        for found in pattern.finditer(unit.text):
            yield f"'{found[0]}': {instead}"


def check(path: Path) -> list[str]:
    """What is wrong with one file."""
    text = path.read_text(encoding="utf-8")
    found = []
    read = {".py": messages, ".txt": prompt}.get(path.suffix, document)
    for unit in read(text):
        lines = [*long_sentences(unit), *dialect(unit)]
        found += [f"{path}:{unit.line}: {one}" for one in lines]
    return found


def files() -> list[Path]:
    """All that a user reads."""
    pages = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")]
    pages += sorted((ROOT / "docs").rglob("*.md"))
    pages += sorted((PACKAGE / "generate" / "prompts").glob("*.txt"))
    sources = sorted(PACKAGE.rglob("*.py"))
    return [*pages, *(one for one in sources if not _is_exempt(one))]


def _is_exempt(path: Path) -> bool:
    return any(path.is_relative_to(PACKAGE / one) for one in EXEMPT)


def main(names: list[str]) -> int:
    """Print every finding; 1 if there is one."""
    paths = [Path(name) for name in names] or files()
    found = [one for path in paths for one in check(path)]
    for one in found:
        print(one.replace(f"{ROOT}/", ""))
    print(f"{len(found)} findings" if found else "no long sentence, no dialect")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
