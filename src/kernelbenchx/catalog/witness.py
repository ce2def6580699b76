"""The witness of a task as a submission: what it needs, cut out of the task file."""

import ast
import inspect
from pathlib import Path

from kernelbenchx import catalog
from kernelbenchx.core.errors import BrokenTask
from kernelbenchx.core.parsing import parsed


def witness_source(name: str) -> str:
    """A stand-alone source that defines the task's entry by its witness."""
    task = catalog.load(name)
    path = Path(inspect.getfile(task.witness))
    return cut_out(path, task.witness.__name__, task.entry)


def cut_out(path: Path, function: str, entry: str) -> str:
    """Everything `function` reaches in the file, in its order, with the function renamed."""
    text = path.read_text(encoding="utf-8")
    module = parsed(text)
    definitions = _definitions(module)
    if function not in definitions:
        raise BrokenTask(f"{path}: {function} is not defined at the top level")
    wanted = _reached(function, definitions)
    lines = text.splitlines()
    pieces = ["\n".join(_imports(module, wanted, lines))]
    seen: set[int] = set()
    for name in sorted(wanted & set(definitions), key=lambda one: definitions[one].lineno):
        node = definitions[name]
        if id(node) not in seen:
            seen.add(id(node))
            pieces.append(_text(node, lines, function, entry))
    return "\n\n\n".join(pieces) + "\n"


def _definitions(module: ast.Module) -> dict[str, ast.stmt]:
    found: dict[str, ast.stmt] = {}
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign):
            found.update({t.id: node for t in node.targets if isinstance(t, ast.Name)})
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = node
    return found


def _reached(start: str, definitions: dict[str, ast.stmt]) -> set[str]:
    reached, waiting = set(), [start]
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached.add(name)
        if name in definitions:
            waiting += [n.id for n in ast.walk(definitions[name]) if isinstance(n, ast.Name)]
    return reached


def _imports(module: ast.Module, wanted: set[str], lines: list[str]) -> list[str]:
    kept = []
    for node in module.body:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kernelbenchx"):
            continue
        names = {(one.asname or one.name).partition(".")[0] for one in node.names}
        if names & wanted:
            kept += lines[node.lineno - 1 : node.end_lineno]
    return kept


def _text(node: ast.stmt, lines: list[str], function: str, entry: str) -> str:
    first = node.lineno
    if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.decorator_list:
        first = min(one.lineno for one in node.decorator_list)
    piece = lines[first - 1 : node.end_lineno]
    if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == function:
        at = node.lineno - first
        piece[at] = piece[at].replace(f" {function}(", f" {entry}(", 1)
    return "\n".join(piece)
