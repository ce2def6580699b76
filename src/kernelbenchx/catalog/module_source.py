"""The source of a problem's `Model`, cut out of its task file: what KernelBench shows a model."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from kernelbenchx import catalog
from kernelbenchx.core.errors import BrokenTask

MODEL = "Model"
_OURS = "kernelbenchx"
_FOR_TOOLS = re.compile(r"[ \t]*# (?:type: ignore|noqa|fmt:|pragma)[^\n]*")
"""Comments that speak to linters."""


def module_source(name: str) -> str:
    """`Model`, what it uses of its file, and their imports; no sizes and nothing of the cases."""
    return _cut(catalog.path_of(name))


@cache
def _cut(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    nodes = ast.parse(text).body
    defined = {name: node for node in nodes for name in _names_of(node)}
    if not isinstance(defined.get(MODEL), ast.ClassDef):
        raise BrokenTask(f"{path}: a problem defines a class `{MODEL}`")
    wanted, waiting = {MODEL}, [MODEL]
    while waiting:
        for name in _used_by(defined[waiting.pop()]):
            if name in defined and name not in wanted:
                wanted.add(name)
                waiting.append(name)
    kept = [node for node in nodes if not wanted.isdisjoint(_names_of(node))]
    for node in kept:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_OURS):
            raise BrokenTask(f"{path}: `{MODEL}` uses {node.module}, which is not shown")
    imports = [node for node in kept if isinstance(node, ast.Import | ast.ImportFrom)]
    others = [node for node in kept if node not in imports]
    parts = ["\n".join(_lines(text, node) for node in imports)]
    parts += [_lines(text, node) for node in others]
    return _FOR_TOOLS.sub("", "\n\n\n".join(part for part in parts if part)) + "\n"


def _names_of(node: ast.stmt) -> Iterator[str]:
    """What a statement of a file gives a name to."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from ((one.asname or one.name).partition(".")[0] for one in node.names)
    elif isinstance(node, ast.ClassDef | ast.FunctionDef):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (one.id for target in targets for one in ast.walk(target)
                    if isinstance(one, ast.Name))  # fmt: skip


def _used_by(node: ast.stmt) -> Iterator[str]:
    return (one.id for one in ast.walk(node) if isinstance(one, ast.Name))


def _lines(text: str, node: ast.stmt) -> str:
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
    return "\n".join(text.splitlines()[first - 1 : node.end_lineno])
