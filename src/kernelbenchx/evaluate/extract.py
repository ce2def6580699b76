"""Extracts the source from a model's reply: out of its fence, without a stray test section.

Fences are read strictly and loosely. The block's content decides which one is taken, so a wrong
reading does no harm.
"""

import ast
import builtins
import heapq
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kernelbenchx.checks.source import MOST_CHARACTERS, too_long
from kernelbenchx.core.parsing import parse_python
from kernelbenchx.evaluate.code_fences import parse_opening, split_fences

SEPARATOR = "#" * 146
"""The published format puts the task's own tests below such a line."""
MOST_BLOCKS = 100
"""Most blocks parsed in one reading; of more, the longest."""
_PYTHON = ("py", "triton")
"""Prefixes of the tag of a Python block."""
_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SCOPES = (*_NAMED, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_IMPORTS = (ast.Import, ast.ImportFrom)
_BINDING = (*_NAMED, *_IMPORTS, ast.Assign, ast.AnnAssign, ast.AugAssign)
_AROUND = (ast.If, ast.Try, ast.Pass, ast.Raise)
"""Nodes allowed beside names in a statement that exists only to bind a name."""
_BUILTIN = frozenset(dir(builtins))


def extract_source(text: str, entries: Sequence[str] = ()) -> str:
    """The program in a reply; text without a fence is taken as it is.

    Of several blocks the first choice defines one of `entries`, the second is Python.
    """
    # Leading lines stay: an error's line must be the line of the file.
    return _choose_program(_lines(text), entries).rstrip("\n") + "\n"


def file_source(text: str, entries: Sequence[str] = ()) -> str:
    """The program in a Python file: all of it, even if it cannot be parsed.

    Only a file whose first line is a fence is read as a saved reply.
    """
    lines = _lines(text)
    if _starts_fenced(lines):
        return extract_source(text, entries)
    return _without_tests(lines) if _find_end(lines) < len(lines) else "\n".join(lines)


def defined_names(source: str) -> frozenset[str] | None:
    """The names of a program's functions, classes and variables; None if it is not Python."""
    tree = _tree(source)
    return None if tree is None else _collect_definitions(tree)


@dataclass(frozen=True)
class _CodeBlock:
    """A block that could be the program."""

    language: str
    text: str

    @property
    def tagged(self) -> bool:
        """Its tag says Python."""
        return self.language.startswith(_PYTHON)


@dataclass(frozen=True)
class _ProgramNames:
    """What a program defines and uses."""

    defined: frozenset[str]
    body: list[ast.stmt]

    @property
    def missing(self) -> frozenset[str]:
        """Names that it uses and binds nowhere."""
        return _find_unbound(self.body)


@dataclass(frozen=True)
class _Choice:
    """Chooses the block that is the program."""

    entries: Sequence[str]
    known: dict[str, _ProgramNames]
    """The texts that are Python."""

    def rank(self, block: _CodeBlock) -> tuple[bool, bool, bool, bool, bool, int]:
        """Sort key of a block; the highest is taken.

        An incomplete kernel is still the answer, rather than a usage example beside it.
        """
        begins = _begins(block.text, self.entries)
        either = block.tagged or not block.language
        reads = block.text in self.known
        return self.defines(block), begins, either, reads, block.tagged, len(block.text)

    def defines(self, block: _CodeBlock) -> bool:
        """Whether it is Python and defines one of the entries."""
        names = self.known.get(block.text)
        return names is not None and not names.defined.isdisjoint(self.entries)

    def complete(self, block: _CodeBlock, earlier: list[_CodeBlock]) -> str:
        """Add what it uses and does not define, from the blocks before it."""
        if not self.defines(block):
            return block.text
        own = self.known[block.text]
        parts: list[str] = []
        wanted = own.missing if earlier else frozenset[str]()
        for one in reversed(earlier):
            names = self.known.get(one.text)
            if names is None or not names.missing.isdisjoint(self.entries):
                continue  # a usage example
            if taken := _find_needed(names.body, wanted):
                whole = len(taken) == len(names.body)
                parts.append(one.text if whole else _cut_statements(one.text, taken))
                wanted = wanted - _collect_bindings(taken) | _find_unbound(taken)
        if not parts:
            return block.text
        lines = block.text.split("\n")
        head = max((it.end_lineno or 0 for it in own.body if _is_future_import(it)), default=0)
        above = ["\n".join(lines[:head]) + "\n"] if head else []
        return "\n\n".join([*above, *reversed(parts), "\n".join(lines[head:])])


def _choose_program(lines: list[str], entries: Sequence[str]) -> str:
    bare = _without_tests(lines)
    readings = [_blocks(lines, loosely=False), _blocks(lines, loosely=True)]
    if not any(readings):
        return bare
    if not _starts_fenced(lines) and _tree(bare) is not None:
        return bare  # ticks in its own strings are no fences
    texts = {one.text for blocks in readings for one in blocks}
    if len(texts) == 1:
        return texts.pop()  # one block: parsing it would dominate the time of reading a data set
    known = _parse_blocks(texts, entries)
    choice = _Choice(entries, known)
    best, earlier = max(
        ((block, blocks[:number]) for blocks in readings for number, block in enumerate(blocks)),
        key=lambda found: choice.rank(found[0]),
    )
    return choice.complete(best, earlier)


def _lines(text: str) -> list[str]:
    """Lines as Python splits them; other line separators are part of a line."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _starts_fenced(lines: list[str]) -> bool:
    first = next((line for line in lines if line.strip("\ufeff \t\f")), "")
    return parse_opening(first.removeprefix("\ufeff")) is not None


def _blocks(lines: list[str], *, loosely: bool) -> list[_CodeBlock]:
    """Blocks that are not empty, in order."""
    every = [
        _CodeBlock(fence.language, text)
        for fence, inside in split_fences(lines, loosely=loosely)
        if (text := _without_tests(inside)).strip()
    ]
    longest = heapq.nlargest(MOST_BLOCKS, range(len(every)), key=lambda n: len(every[n].text))
    return [every[number] for number in sorted(longest)]


def _parse_blocks(texts: Iterable[str], entries: Sequence[str]) -> dict[str, _ProgramNames]:
    """Blocks that are Python, the most promising first, up to a limit."""
    known, left = {}, 2 * MOST_CHARACTERS
    for text in sorted(texts, key=lambda one: (not _begins(one, entries), -len(one), one)):
        if len(text) > left:
            continue
        left -= len(text)
        if (tree := _tree(text)) is not None:
            known[text] = _ProgramNames(_collect_definitions(tree), tree.body)
    return known


def _without_tests(lines: list[str]) -> str:
    return "\n".join([*lines[: _find_end(lines)], ""])


def _find_end(lines: list[str]) -> int:
    """The end of the program; the task's tests may follow."""
    ends = (n for n, line in enumerate(lines) if SEPARATOR in line and line.strip() == SEPARATOR)
    return next(ends, len(lines))


def _tree(text: str) -> ast.Module | None:
    if too_long(text):
        return None
    try:
        return parse_python(text.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _begins(text: str, entries: Sequence[str]) -> bool:
    """Whether a line looks like the beginning of an entry."""
    names = "|".join(map(re.escape, entries))
    pattern = rf"^(?:def|class)[ \t]+(?:{names})\b|^(?:{names})[ \t]*="
    return bool(entries) and re.search(pattern, text, re.MULTILINE) is not None


def _find_needed(body: list[ast.stmt], wanted: frozenset[str]) -> list[ast.stmt]:
    """Imports, definitions and assignments of wanted names and, in turn, of the names that these
    use."""
    givers = defaultdict(list)
    for number, statement in enumerate(body):
        if _only_binds(statement):
            for name in _collect_bindings([statement]):
                givers[name].append(number)
    taken: set[int] = set()
    left = [*wanted, "*"] if wanted else []
    while left:
        for number in givers.pop(left.pop(), ()):
            if number not in taken:
                taken.add(number)
                left += _find_unbound([body[number]])
    return [body[number] for number in sorted(taken)]


def _only_binds(statement: ast.stmt) -> bool:
    if _is_future_import(statement):
        return False
    inside = (node for node in _same_scope(statement) if isinstance(node, ast.stmt))
    return all(isinstance(node, _BINDING + _AROUND) for node in inside)


def _is_future_import(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _cut_statements(text: str, statements: list[ast.stmt]) -> str:
    """Cut statements out of a text as written, without what else is on their lines."""
    lines = text.removeprefix("\ufeff").split("\n")
    pieces = []
    for it in statements:
        decorators = it.decorator_list if isinstance(it, _NAMED) else []
        first = min([it.lineno, *(one.lineno for one in decorators)])
        part = [line.encode() for line in lines[first - 1 : it.end_lineno]]
        part[-1] = part[-1][: it.end_col_offset]
        part[0] = part[0][it.col_offset :]
        pieces.append(b"\n".join(part).decode() + "\n")
    return "\n".join(pieces)


def _find_unbound(statements: Iterable[ast.stmt]) -> frozenset[str]:
    """Names that the statements use and bind nowhere, not even inside a function."""
    nodes = [node for statement in statements for node in ast.walk(statement)]
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    return frozenset(used - _BUILTIN).difference(*map(_binds, nodes), *map(_imports, nodes))


def _collect_bindings(statements: Iterable[ast.stmt]) -> frozenset[str]:
    """Names that the statements bind for what follows them."""
    nodes = (node for statement in statements for node in _same_scope(statement))
    return frozenset(name for node in nodes for name in (*_stores(node), *_imports(node)))


def _collect_definitions(tree: ast.Module) -> frozenset[str]:
    return frozenset(name for node in _same_scope(tree) for name in _stores(node))


def _same_scope(tree: ast.AST) -> Iterator[ast.AST]:
    """A node and its descendants, except those inside a function or a class."""
    left = [tree]
    while left:
        node = left.pop()
        yield node
        if not isinstance(node, _SCOPES):
            left += ast.iter_child_nodes(node)


def _stores(node: ast.AST) -> tuple[str, ...]:
    """The function, class or variable that a node defines."""
    if isinstance(node, _NAMED):
        return (node.name,)
    return (node.id,) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else ()


def _imports(node: ast.AST) -> tuple[str, ...]:
    aliases = node.names if isinstance(node, _IMPORTS) else []
    return tuple((one.asname or one.name).split(".")[0] for one in aliases)


def _binds(node: ast.AST) -> tuple[str, ...]:
    """Names that a node binds without importing them."""
    match node:
        case ast.arg(arg=str(name)) | ast.ExceptHandler(name=str(name)):
            return (name,)
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return (name,)
        case ast.MatchMapping(rest=str(name)):
            return (name,)
    return _stores(node)
