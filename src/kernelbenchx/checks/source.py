"""A submission read once: its tree, what its names mean, and what its entry reaches."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from kernelbenchx.checks.liveness import DeviceTruth, constant_truth, dead_statements
from kernelbenchx.checks.scopes import FUNCTIONS, Names, Scope, read_names
from kernelbenchx.checks.tags import Tags
from kernelbenchx.checks.values import Tangled, Values
from kernelbenchx.core.parsing import parsed

MOST_CHARACTERS = 300_000
MOST_LINES = 10_000
MOST_NODES = 40_000
"""Far more than any kernel needs. The first two are looked at before the text is read: its tree can
be hundreds of times as large as the text."""
DEEPEST = 150
"""Nesting of the tree; the deepest honest source seen has 40."""

_COOKIE = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_UTF8 = {"utf-8", "utf8", "utf_8", "u8", "utf"}


class Unreadable(Exception):
    """The text is no Python that can be checked."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line
        self.why = why


@dataclass(eq=False)
class Source:
    """What the rules look at."""

    tree: ast.Module
    names: Names
    values: Values
    off_device: dict[int, int] = field(default_factory=dict)
    """Nodes (by id) that run only where the arguments are not on the device, with the line of
    the branch."""

    def of(self, node: ast.expr, scope: Scope) -> Tags:
        """What an expression may be."""
        return self.values.of(node, scope)

    def is_kernel(self, node: ast.AST) -> bool:
        """Whether a function of the file is a Triton kernel."""
        return id(node) in self.values.jitted

    def kernels(self) -> list[ast.FunctionDef]:
        """The Triton kernels in the order of the file."""
        owners = (scope.owner for scope in self.names.scopes.values())
        return [o for o in owners if isinstance(o, ast.FunctionDef) and self.is_kernel(o)]

    def in_kernel(self, scope: Scope) -> bool:
        """Whether a scope is a kernel's body or lies inside one."""
        here: Scope | None = scope
        while here is not None:
            if self.is_kernel(here.owner):
                return True
            here = here.parent
        return False

    def host_scopes(self) -> Iterator[Scope]:
        """Every scope outside kernels."""
        return (s for s in self.names.scopes.values() if not self.in_kernel(s))


def parse(text: str) -> Source:
    """Read a submission; raises `Unreadable` for what cannot be checked."""
    try:
        tree = _tree(text)
        dead = _everywhere(dead_statements(tree.body, constant_truth))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                dead |= _everywhere(dead_statements(node.body, constant_truth))
        names = read_names(tree, dead)
        source = Source(tree, names, Values(names))
        _mark_off_device(source)
    except Tangled:
        raise Unreadable(1, "aliases too tangled to be checked") from None
    except (RecursionError, MemoryError):
        raise Unreadable(1, "nested too deeply to be checked") from None
    return source


def too_long(text: str) -> str:
    """Why a text is not even read; nothing where it is short enough."""
    if len(text) > MOST_CHARACTERS:
        return f"longer than {MOST_CHARACTERS} characters"
    return f"more than {MOST_LINES} lines" if text.count("\n") > MOST_LINES else ""


def _tree(text: str) -> ast.Module:
    long = too_long(text)
    if long:
        raise Unreadable(1, long)
    if "\0" in text:
        raise Unreadable(text.count("\n", 0, text.index("\0")) + 1, "contains a null byte")
    _refuse_cookie(text)
    try:
        tree = parsed(text.removeprefix("\ufeff"))
    except SyntaxError as error:
        raise Unreadable(error.lineno or 1, f"not Python: {error.msg}") from None
    except ValueError as error:
        raise Unreadable(1, f"not Python: {error}") from None
    _refuse_size(tree)
    return tree


def _refuse_cookie(text: str) -> None:
    # Python would decode the file by it, and run another text than the one checked here.
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text, maxsplit=2)[:2], start=1):
        cookie = _COOKIE.match(line.removeprefix("\ufeff"))
        if cookie and cookie[1].lower() not in _UTF8:
            raise Unreadable(number, f"declares the encoding {cookie[1]}; only utf-8 is read")


def _refuse_size(tree: ast.Module) -> None:
    level: list[ast.AST] = [tree]
    count = 0
    for _ in range(DEEPEST):
        count += len(level)
        if count > MOST_NODES:
            raise Unreadable(1, f"more than {MOST_NODES} syntax nodes")
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return
    raise Unreadable(getattr(level[0], "lineno", 1), f"nested deeper than {DEEPEST} levels")


def _everywhere(statements: list[ast.stmt]) -> set[int]:
    return {id(statement) for statement in statements}


def _mark_off_device(source: Source) -> None:
    for scope in source.names.scopes.values():
        truth = DeviceTruth(source.values, scope)
        dead: list[ast.AST] = []
        if isinstance(scope.owner, FUNCTIONS) and not isinstance(scope.owner, ast.Lambda):
            dead += dead_statements(scope.owner.body, truth)
        for node in scope.nodes:
            if isinstance(node, ast.IfExp):
                answer = truth(node.test)
                dead += [] if answer is None else [node.orelse if answer else node.body]
        for root in dead:
            line = getattr(root, "lineno", 1)
            for part in ast.walk(root):
                source.off_device.setdefault(id(part), line)
