"""The source inside what a model replied: out of its fence, without a stray test section.

Fences are read strictly and loosely. Which block is taken is decided by what it holds, so a wrong
reading does no harm.
"""

import ast
import heapq
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kernelbenchx.checks.source import MOST_CHARACTERS, too_long
from kernelbenchx.core.parsing import parsed
from kernelbenchx.evaluate.fences import fenced, opening

SEPARATOR = "#" * 146
"""The published format puts the task's own tests below such a line."""
MOST_BLOCKS = 100
"""Looked at in one reading; the longest of more."""
_PYTHON = ("py", "triton")
"""Beginnings of what a block of Python is tagged with."""
_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def extract_source(text: str, entries: Sequence[str] = ()) -> str:
    """The program in a reply; text without a fence is taken as it is.

    Of several blocks the one that defines one of `entries` counts, then one that is Python.
    """
    # As Python reads them; any other sign that some call a line end is part of a line.
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # Leading lines stay: an error's line must be the line of the file.
    return _program(text, entries).rstrip("\n") + "\n"


def defined_names(source: str) -> frozenset[str] | None:
    """What a program's functions, classes and variables are called; none where it is no Python."""
    tree = _tree(source)
    return None if tree is None else _defined(tree)


@dataclass(frozen=True)
class _Block:
    """What could be the program."""

    language: str
    text: str

    @property
    def tagged(self) -> bool:
        """It is said to be Python."""
        return self.language.startswith(_PYTHON)


@dataclass(frozen=True)
class _Names:
    """What a program's names tell of it."""

    defined: frozenset[str]
    imported: frozenset[str]
    missing: frozenset[str]
    """Used and bound nowhere in it."""


@dataclass(frozen=True)
class _Choice:
    """Which of the blocks is the program."""

    entries: Sequence[str]
    known: dict[str, _Names]
    """Of the texts that are Python."""

    def rank(self, block: _Block) -> tuple[bool, bool, bool, bool, bool, int]:
        """The highest is taken.

        Half a kernel is still the answer, and not the example of its use beside it.
        """
        begins = _begins(block.text, self.entries)
        either = block.tagged or not block.language
        reads = block.text in self.known
        return self.defines(block), begins, either, reads, block.tagged, len(block.text)

    def defines(self, block: _Block) -> bool:
        """One of the entries, in Python."""
        names = self.known.get(block.text)
        return names is not None and not names.defined.isdisjoint(self.entries)

    def completed(self, block: _Block, earlier: list[_Block]) -> str:
        """With the blocks before it that define what it uses and does not define itself."""
        if not self.defines(block):
            return block.text
        parts, wanted = [block.text], self.known[block.text].missing
        for one in reversed(earlier):
            names = self.known.get(one.text)
            if names is not None and wanted & (names.defined | names.imported):
                parts.append(one.text)
                wanted |= names.missing
        return "\n\n".join(reversed(parts))


def _program(text: str, entries: Sequence[str]) -> str:
    lines = text.split("\n")
    bare = _without_tests(lines)
    readings = [_blocks(lines, loosely=False), _blocks(lines, loosely=True)]
    if not any(readings):
        return bare
    known = _understood({bare, *(one.text for blocks in readings for one in blocks)}, entries)
    first = next((line for line in lines if line.strip()), "")
    if bare in known and opening(first) is None:
        readings.insert(0, [_Block("python", bare)])  # ticks in its own strings are no fences
    choice = _Choice(entries, known)
    best, earlier = max(
        ((block, blocks[:number]) for blocks in readings for number, block in enumerate(blocks)),
        key=lambda found: choice.rank(found[0]),
    )
    return choice.completed(best, earlier)


def _blocks(lines: list[str], *, loosely: bool) -> list[_Block]:
    """Blocks that hold anything, in order."""
    every = [
        _Block(fence.language, text)
        for fence, inside in fenced(lines, loosely=loosely)
        if (text := _without_tests(inside)).strip()
    ]
    longest = heapq.nlargest(MOST_BLOCKS, range(len(every)), key=lambda n: len(every[n].text))
    return [every[number] for number in sorted(longest)]


def _understood(texts: Iterable[str], entries: Sequence[str]) -> dict[str, _Names]:
    """Those that are Python; the most promising first, until enough was looked at."""
    known, left = {}, 2 * MOST_CHARACTERS
    for text in sorted(texts, key=lambda one: (not _begins(one, entries), -len(one), one)):
        if len(text) > left:
            continue
        left -= len(text)
        if (tree := _tree(text)) is not None:
            known[text] = _names(tree)
    return known


def _without_tests(lines: list[str]) -> str:
    end = next((n for n, line in enumerate(lines) if line.strip() == SEPARATOR), len(lines))
    return "".join(f"{line}\n" for line in lines[:end])


def _tree(text: str) -> ast.Module | None:
    if too_long(text):
        return None
    try:
        return parsed(text.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _begins(text: str, entries: Sequence[str]) -> bool:
    """Whether a line looks like the beginning of an entry."""
    names = "|".join(map(re.escape, entries))
    pattern = rf"^(?:def|class)[ \t]+(?:{names})\b|^(?:{names})[ \t]*="
    return bool(entries) and re.search(pattern, text, re.MULTILINE) is not None


def _names(tree: ast.Module) -> _Names:
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    imported = {(one.asname or one.name).split(".")[0] for it in imports for one in it.names}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    arguments = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return _Names(
        defined=_defined(tree),
        imported=frozenset(imported),
        missing=frozenset(used - _bound(tree) - arguments - imported),
    )


def _defined(tree: ast.Module) -> frozenset[str]:
    names = set()
    for node in tree.body:
        if isinstance(node, _NAMED):
            names.add(node.name)
        else:
            names |= _bound(node)
    return frozenset(names)


def _bound(tree: ast.AST) -> set[str]:
    """Names of functions, classes and variables, wherever they are bound inside."""
    nodes = list(ast.walk(tree))
    named = {node.name for node in nodes if isinstance(node, _NAMED)}
    names = (node for node in nodes if isinstance(node, ast.Name))
    return named | {name.id for name in names if isinstance(name.ctx, ast.Store)}
