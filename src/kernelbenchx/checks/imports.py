"""Only what a kernel and its wrapper need may be imported, and only its allowed parts used.

An import of anything else whose name is never read does no harm if it does not run: it is noted,
and `without_idle_imports` takes it out of what the worker gets.
"""

import ast
import re
from collections.abc import Iterator

from kernelbenchx.checks.allowed import NameKind, kind_of
from kernelbenchx.checks.rule import Subject
from kernelbenchx.checks.scopes import NodePlace, list_imported
from kernelbenchx.checks.source import Source
from kernelbenchx.checks.torch_names import ASIDE
from kernelbenchx.core.outcome import Finding

NAME = "imports"
Import = ast.Import | ast.ImportFrom
_LINES = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")


def imports(subject: Subject) -> Iterator[Finding]:
    """Every import is of something allowed, or its name is never read."""
    read = subject.source.read
    for place in subject.source.places(ast.Import, ast.ImportFrom):
        node = place.node
        assert isinstance(node, Import)
        for alias, (name, _) in zip(node.names, list_imported(node), strict=True):
            why = _explain_refusal(node, alias, place)
            if why and _is_idle(alias, name, read):
                why = f"{_full_name(node, alias)} is never used; the import is left out"
                yield Finding(rule=NAME, line=node.lineno, why=why, fatal=False)
            elif why:
                yield Finding(rule=NAME, line=node.lineno, why=why)


def _explain_refusal(node: Import, alias: ast.alias, place: NodePlace) -> str:
    if isinstance(node, ast.ImportFrom) and node.level:
        return "relative import; a submission is one file"
    if alias.name == "*":
        return f"`from {getattr(node, 'module', '')} import *` hides what is imported"
    kind = kind_of(_full_name(node, alias))
    if kind is NameKind.MODULE and isinstance(place.scope.owner, ast.ClassDef):
        return f"imports {_full_name(node, alias)} inside a class"
    if place.scope.outer.get(alias.asname or alias.name.partition(".")[0]):
        return f"imports {_full_name(node, alias)} into the module from a function"
    return (
        ""
        if kind is not NameKind.FORBIDDEN
        else f"imports {_full_name(node, alias)}, which is not allowed"
    )


def _full_name(node: Import, alias: ast.alias) -> str:
    base = f"{node.module}." if isinstance(node, ast.ImportFrom) and node.module else ""
    return base + alias.name


def _is_idle(alias: ast.alias, name: str, read: set[str]) -> bool:
    return alias.name != "*" and name not in read


def without_idle_imports(source: Source) -> str:
    """The text with every import that is only noted blanked out; all lines stay where they are."""
    read = source.read
    blanked: list[tuple[Import, list[ast.alias]]] = []
    for place in source.places(ast.Import, ast.ImportFrom):
        node = place.node
        assert isinstance(node, Import)
        pairs = zip(node.names, list_imported(node), strict=True)
        idle = [
            a for a, (name, _) in pairs if name not in read and _explain_refusal(node, a, place)
        ]
        kept = [a for a in node.names if a not in idle or a.name == "*"]
        if len(kept) < len(node.names):
            blanked.append((node, kept))
    if not blanked:
        return source.text
    lines = [bytearray(line) for line in _LINES.findall(source.text.encode())]
    # From the end: what is left of an import may be longer than the import was.
    for node, kept in sorted(blanked, key=_position, reverse=True):
        _blank(lines, node, kept)
    return b"".join(lines).decode()


def _position(one: tuple[Import, list[ast.alias]]) -> tuple[int, int]:
    return one[0].lineno, one[0].col_offset


def _blank(lines: list[bytearray], node: Import, kept: list[ast.alias]) -> None:
    """Put what is left of an import, and an empty tuple as long as the gap, in its place."""
    assert node.end_lineno is not None and node.end_col_offset is not None
    first, last = node.lineno - 1, node.end_lineno - 1
    offset = 3 if first == 0 and lines[0].startswith(b"\xef\xbb\xbf") else 0
    start, end = node.col_offset + offset, node.end_col_offset + (offset if last == 0 else 0)
    left = b""
    if kept:
        rest: Import = ast.Import(kept)
        if isinstance(node, ast.ImportFrom):
            rest = ast.ImportFrom(node.module, kept, node.level)
        left = ast.unparse(rest).encode() + b"; "
    if first == last:
        lines[first][start:end] = left + b"(" + b" " * max(end - start - len(left) - 2, 0) + b")"
        return
    ending = lines[first][len(lines[first].rstrip(b"\r\n")) :]
    lines[first][start:] = left + b"(" + ending
    for number in range(first + 1, last):
        lines[number][:] = lines[number][len(lines[number].rstrip(b"\r\n")) :]
    lines[last][:end] = b" " * (end - 1) + b")"


def parts(subject: Subject) -> Iterator[Finding]:
    """No part of an allowed module is used that is not on the list."""
    for one in subject.source.named:
        for path in one.paths:
            # `torch.ops.aten` needs no remark of its own inside `torch.ops.aten.mm`.
            part = kind_of(path) is NameKind.FORBIDDEN and not isinstance(one.place.node, ast.Name)
            if part and kind_of(path.rpartition(".")[0]) is not NameKind.FORBIDDEN:
                yield Finding(rule="parts", line=one.line, why=f"{path} is off limits")
    for one in subject.reach.named:
        for path in one.paths:
            aside = path.startswith("triton.testing.") or path.removeprefix("torch.") in ASIDE
            if aside and kind_of(path) is NameKind.VALUE:
                yield Finding(rule="parts", line=one.line, why=f"{path} inside the entry")
