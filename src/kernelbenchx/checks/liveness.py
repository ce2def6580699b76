"""Which statements can never run: behind a constant, after a return, or off the device."""

import ast
from collections.abc import Callable

from kernelbenchx.checks.scopes import Scope
from kernelbenchx.checks.tags import TENSOR, dotted
from kernelbenchx.checks.values import Values

Truth = Callable[[ast.expr], bool | None]
"""Whether a test always holds, never holds, or may do either (`None`)."""


def dead_statements(body: list[ast.stmt], truth: Truth) -> list[ast.stmt]:
    """The statements below `body`, without nested functions, that `truth` rules out."""
    dead: list[ast.stmt] = []
    for index, statement in enumerate(body):
        dead += _dead_inside(statement, truth)
        if _ends(statement, truth):
            dead += body[index + 1 :]
            break
    return dead


def _dead_inside(statement: ast.stmt, truth: Truth) -> list[ast.stmt]:
    match statement:
        case ast.If() | ast.While():
            answer = truth(statement.test)
            if answer is False:
                return [*statement.body, *dead_statements(statement.orelse, truth)]
            if answer is True and isinstance(statement, ast.If):
                return [*statement.orelse, *dead_statements(statement.body, truth)]
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        return []
    return [d for block in _blocks(statement) for d in dead_statements(block, truth)]


def _blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    blocks = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
    inner = [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]
    return [*blocks, *(part.body for part in inner)]


def _ends(statement: ast.stmt, truth: Truth) -> bool:
    """Whether nothing after the statement in its block is reached."""
    match statement:
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return True
        case ast.If():
            answer = truth(statement.test)
            first, second = (_block_ends(b, truth) for b in (statement.body, statement.orelse))
            return (first or answer is False) and (second or answer is True)
        case ast.With():
            return _block_ends(statement.body, truth)
    return False


def _block_ends(body: list[ast.stmt], truth: Truth) -> bool:
    return any(_ends(statement, truth) for statement in body)


def constant_truth(test: ast.expr) -> bool | None:
    """Literals, and the guard of a script's main part: a submission is imported, never run."""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            answer = constant_truth(operand)
            return None if answer is None else not answer
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            sides = {_word(left), _word(right)}
            return False if sides == {"__name__", "'__main__'"} else None
    return None


def _word(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return repr(node.value) if isinstance(node, ast.Constant) else ""


class DeviceTruth:
    """Tests that have one answer wherever the arguments lie on the device."""

    def __init__(self, values: Values, scope: Scope) -> None:
        self._values = values
        self._scope = scope

    def __call__(self, test: ast.expr) -> bool | None:
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                answer = self(operand)
                return None if answer is None else not answer
            case ast.BoolOp(op=op, values=parts):
                answers = [self(part) for part in parts]
                decisive = isinstance(op, ast.Or)
                if decisive in answers:
                    return decisive
                return None if None in answers else not decisive
            case ast.Attribute(value=value, attr="is_cuda"):
                return True if self._stays(value) else None
            case ast.Attribute(value=value, attr="is_cpu"):
                return False if self._stays(value) else None
            case ast.Call(func=func):
                path = dotted(self._values.of(func, self._scope))
                return True if path == ["torch.cuda.is_available"] else None
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compared(left, op, right)
        return None

    def _compared(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> bool | None:
        if not isinstance(right, ast.Constant) or right.value not in ("cuda", "cpu"):
            return None
        if not (isinstance(left, ast.Attribute) and left.attr == "type"):
            return None
        if not self._device_stays(left.value):
            return None
        same = right.value == "cuda"
        if isinstance(op, ast.Eq):
            return same
        return not same if isinstance(op, ast.NotEq) else None

    def _device_stays(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Attribute) and node.attr == "device":
            return self._stays(node.value)
        home = self._scope.home(node.id) if isinstance(node, ast.Name) else None
        bindings = home.bindings[node.id] if home and isinstance(node, ast.Name) else []
        return len(bindings) == 1 and all(
            isinstance(b.value, ast.Attribute)
            and b.value.attr == "device"
            and not b.path
            and self._stays(b.value.value)
            for b in bindings
        )

    def _stays(self, node: ast.expr) -> bool:
        """Whether a value is surely a tensor on the device of the entry's arguments."""
        home = self._scope.home(node.id) if isinstance(node, ast.Name) else None
        if home is not None and isinstance(node, ast.Name):
            later = [b for b in home.bindings[node.id] if b.parameter is None]
            # What cannot be told may have been moved.
            if any(self._values.bound(home, binding) != TENSOR for binding in later):
                return False
        return self._values.of(node, self._scope) == TENSOR
