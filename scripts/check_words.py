"""Check the language of documents and messages: short sentences, no dialect.

    python scripts/check_words.py [FILE...]

Without files it checks README, CHANGELOG, CONTRIBUTING, every page under docs/, the prompts, and
of the package its messages (help texts, errors, results), docstrings, comments and names. It
reports sentences with more than 40 words, words of the list below, and functions that are named by
a bare participle. Code, quoted output and generated tables are exempt. Exit status 1: it found
something.
"""

import ast
import io
import re
import sys
import tokenize
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
SAMPLES = ("witnesses", "attacks/suite", "attacks/controls", "attacks/preludes", "demo")
"""Sample programs: their names and comments are text that is judged."""
STATEMENTS = ("tasks",)
"""Docstrings of these are what a model is told."""

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

NAME_WORDS = {
    "card": "gpu",
    "cards": "gpus",
    "crew": "process slots",
    "crews": "process slots",
    "desk": "context",
    "office": "run context",
    "wall": "host",
    "walls": "host",
    "warmth": "preload",
    "stranger": "other processes",
    "strangers": "other processes",
    "nobody": "name the thing",
    "somebody": "name the thing",
    "whoever": "name the thing",
    "anew": "again",
}
"""Parts of names of modules, classes and functions, and what to write instead."""
ALLOWED_NAMES = {"data_card", "cards_of_data", "_wall_clock_limits"}
"""A data card is a term of data sets, wall-clock time one of clocks."""
_LOOKS_LIKE_ONE = """
around between bound children cut down embed even exceed feed flatten green happen hit indeed
lengthen listen need now open own proceed put read red reseed round run screen seed seven set
shade shed shorten shutdown speed split spread strengthen ten then thread tighten token when
widen
"""
NO_PARTICIPLE = frozenset(_LOOKS_LIKE_ONE.split())
"""Words that only look like one, and verbs whose participle is their base form."""
_IRREGULAR = """
begun bent born bought brought broken built caught chosen dealt done drawn fallen fed felt
forgotten found frozen given gone heard held hidden hung kept laid led left lent lost made
meant met paid said sent shown sold spent spoken spun stolen struck stuck sunk sworn taken
taught thought told torn won worn woven written ours theirs
"""
IRREGULAR = frozenset(_IRREGULAR.split())
ALLOWED_FUNCTIONS = {"done": "`Watcher.done`, which users implement: docs/api.md promises it"}
_PARTICIPLE = re.compile(r"[a-z]+(ed|en|aid|ade|ept|eld|ung|ound|own|ought)")

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


def remarks(source: str) -> Iterator[Unit]:
    """Docstrings and comments, without the code that they quote."""
    for node in _statements(ast.parse(source)):
        if isinstance(node.value, str):
            yield Unit(node.lineno, _CODE.sub("X", node.value))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Unit(token.start[0], _CODE.sub("X", token.string))


def is_participle(name: str) -> bool:
    """Whether a function of this name would be a bare participle."""
    word = name.strip("_")
    if "_" in word or word in NO_PARTICIPLE or name.startswith("__"):
        return False
    return word in IRREGULAR or _PARTICIPLE.fullmatch(word) is not None


def names(path: Path, tree: ast.Module) -> Iterator[Unit]:
    """A line for each name that is a participle or contains a word of the list."""
    yield from (Unit(1, one) for one in _name_words(path.stem))
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        yield from (Unit(node.lineno, one) for one in _name_words(node.name))
        if isinstance(node, ast.ClassDef) or node.name in ALLOWED_FUNCTIONS:
            continue
        is_property = any("property" in ast.unparse(one) for one in node.decorator_list)
        if is_participle(node.name) and not is_property:
            yield Unit(node.lineno, f"function '{node.name}': a verb phrase says what it does")


def _name_words(name: str) -> Iterator[str]:
    if name in ALLOWED_NAMES:
        return
    for part in re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_"):
        if part in NAME_WORDS:
            yield f"name '{name}': {NAME_WORDS[part]}"


def check(path: Path) -> list[str]:
    """What is wrong with one file."""
    text = path.read_text(encoding="utf-8")
    found: list[Unit] = []
    if not _is_in(path, EXEMPT):
        read = {".py": messages, ".txt": prompt}.get(path.suffix, document)
        for unit in read(text):
            found += [Unit(unit.line, one) for one in (*long_sentences(unit), *dialect(unit))]
    if path.suffix == ".py":
        if not _is_in(path, STATEMENTS):
            found += [Unit(unit.line, one) for unit in remarks(text) for one in dialect(unit)]
        found += names(path, ast.parse(text))
    # What a command prints is a docstring, too: it is reported once.
    return [f"{path}:{line}: {one}" for line, one in dict.fromkeys(found)]


def files() -> list[Path]:
    """All that a user reads."""
    pages = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")]
    pages += sorted((ROOT / "docs").rglob("*.md"))
    pages += sorted((PACKAGE / "generate" / "prompts").glob("*.txt"))
    sources = sorted(PACKAGE.rglob("*.py"))
    return [*pages, *(one for one in sources if not _is_in(one, SAMPLES))]


def _is_in(path: Path, folders: tuple[str, ...]) -> bool:
    return any(path.is_relative_to(PACKAGE / one) for one in folders)


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
