"""Only what a kernel and its wrapper need may be imported, and only its public parts used."""

import ast
import sys
from collections.abc import Iterator

from kernelbenchx.checks import torch_names
from kernelbenchx.checks.rule import Subject
from kernelbenchx.checks.tags import dotted
from kernelbenchx.core.outcome import Finding

NAME = "imports"

MODULES: dict[str, frozenset[str] | None] = {
    "__future__": None,
    "collections": frozenset({"namedtuple", "abc", "OrderedDict", "defaultdict"}),
    "collections.abc": None,
    "contextlib": frozenset({"nullcontext"}),
    "dataclasses": frozenset({"dataclass", "field"}),
    "enum": frozenset({"Enum", "IntEnum", "StrEnum", "auto"}),
    "functools": frozenset({"cache", "lru_cache", "partial", "reduce", "wraps"}),
    "itertools": None,
    "math": None,
    "typing": None,
    "typing_extensions": None,
}
"""Modules of the standard library, each with the names that may be used (`None`: all public)."""

TRITON = frozenset(
    {
        *("jit", "autotune", "heuristics", "Config", "cdiv", "next_power_of_2", "__version__"),
        *("constexpr_function", "set_allocator", "reinterpret", "OutOfResources", "language"),
        *("runtime", "runtime.driver", "runtime.driver.active", "runtime.jit", "runtime.jit.jit"),
        *("runtime.autotuner", "runtime.autotuner.autotune", "runtime.autotuner.heuristics"),
        *("runtime.driver.active.get_current_target", "runtime.driver.active.utils"),
        *("runtime.driver.active.get_active_torch_device",),
        *("runtime.driver.active.get_current_device",),
        *("runtime.driver.active.utils.get_device_properties",),
        *(
            "testing",
            "tools",
            "tools.tensor_descriptor",
            "tools.tensor_descriptor.TensorDescriptor",
        ),
        *("tools.tensor_descriptor.TensorDescriptor.from_tensor",),
    }
)
"""Parts of Triton that a wrapper may name, beside everything of `triton.language`."""

_STANDARD = frozenset(sys.stdlib_module_names) - {"math", "random"}
_DOORS = frozenset({"knobs", "runtime", "compiler", "backends", "ir", "driver"})
"""Modules of Triton that its language modules import for themselves."""
_EVALUATING = frozenset({"get_type_hints", "ForwardRef", "evaluate_forward_ref"})
"""Names of `typing` that run strings as code."""


def imports(subject: Subject) -> Iterator[Finding]:
    """Every import is of an allowed module; where the entry cannot come, it is only noted."""
    running = {id(scope) for scope in subject.reach.scopes()}
    for scope in subject.source.names.scopes.values():
        fatal = id(scope) in running or subject.source.in_kernel(scope)
        for node in scope.nodes:
            if isinstance(node, ast.Import | ast.ImportFrom):
                for why in _refused(node):
                    yield Finding(rule=NAME, line=node.lineno, why=why, fatal=fatal)


def _refused(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(node, ast.ImportFrom) and node.level:
        yield "relative import; a submission is one file"
        return
    for alias in node.names:
        if alias.name == "*":
            yield f"`from {getattr(node, 'module', '')} import *` hides what is imported"
            continue
        base = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        if not is_allowed(base + alias.name):
            yield f"imports {base}{alias.name}, which is not allowed"


def parts(subject: Subject) -> Iterator[Finding]:
    """No part of an allowed module is used that is not a wrapper's business."""
    called = {id(scope) for scope in subject.reach.called.values()}
    reported: set[int] = set()
    for node, scope in subject.reach.walk():
        if not isinstance(node, ast.Name | ast.Attribute | ast.Call) or id(node) in reported:
            continue
        for path in dotted(subject.source.of(node, scope)):
            why = _misused(path, in_call=id(scope) in called)
            if why:
                # `torch.ops.aten` needs no remark of its own inside `torch.ops.aten.mm`.
                reported |= {id(part) for part in ast.walk(node)}
                yield Finding(rule="parts", line=node.lineno, why=why)


def _misused(path: str, *, in_call: bool) -> str:
    root = path.partition(".")[0]
    if root == "builtins" or not _is_known(root):
        return ""
    if path.startswith("triton.testing") and path != "triton.testing":
        return f"{path} inside the entry" if in_call else ""
    return "" if is_allowed(path) else f"{path} is off limits"


def _is_known(root: str) -> bool:
    return root in ("torch", "triton") or root in MODULES


def is_allowed(path: str) -> bool:
    """Whether a full name is an allowed module or an allowed part of one."""
    root, _, rest = path.partition(".")
    if root == "torch":
        return not rest or torch_names.use_of(rest) is not torch_names.Use.FORBIDDEN
    if root == "triton":
        return not rest or _triton(rest)
    module = path if path in MODULES else path.rpartition(".")[0]
    if module not in MODULES:
        # A method of something from an allowed module, such as `itertools.chain.from_iterable`.
        return root in MODULES and MODULES[root] is None and not _hidden(rest.split("."))
    names = MODULES[module]
    name = path.removeprefix(module).removeprefix(".")
    return not name or (name in names if names is not None else not _hidden([name]))


def _triton(rest: str) -> bool:
    pieces = rest.split(".")
    if pieces[0] == "language":
        return not _hidden(pieces) and not _DOORS & set(pieces)
    if pieces[0] in ("testing", "Config", "jit", "autotune", "heuristics"):
        return not _hidden(pieces)
    return rest in TRITON or any(
        rest.startswith(f"{known}.") and not _hidden(pieces)
        for known in ("constexpr_function", "__version__")
    )


def _hidden(pieces: list[str]) -> bool:
    hidden = _STANDARD | _EVALUATING
    return any(piece.startswith("_") or piece in hidden for piece in pieces)
