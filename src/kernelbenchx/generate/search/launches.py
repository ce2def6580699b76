"""Launches of a source: which kernel, with what at each of its parameters, over which grid."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from kernelbenchx.checks.scopes import NameScope
from kernelbenchx.checks.source import Source


@dataclass(frozen=True, eq=False)
class LaunchSite:
    """`kernel[grid](...)`, as it is written."""

    kernel: ast.FunctionDef
    call: ast.Call
    scope: NameScope
    grid: ast.expr

    def bind_arguments(self) -> dict[str, ast.expr]:
        """What stands at each parameter, as far as the text tells; options of a launch too."""
        parameters = [*self.kernel.args.posonlyargs, *self.kernel.args.args]
        found: dict[str, ast.expr] = {}
        for parameter, value in zip(parameters, self.call.args, strict=False):
            if isinstance(value, ast.Starred):
                break
            found[parameter.arg] = value
        return found | {word.arg: word.value for word in self.call.keywords if word.arg}

    @property
    def unpacked(self) -> list[ast.expr]:
        """What is given by `**options`."""
        return [word.value for word in self.call.keywords if word.arg is None]


def launches_of(source: Source) -> list[LaunchSite]:
    """Every launch of a kernel of the file, in the order of the text."""
    found = [launch for scope in source.host_scopes() for launch in _launches_in(source, scope)]
    return sorted(found, key=lambda one: (one.call.lineno, one.call.col_offset))


def _launches_in(source: Source, scope: NameScope) -> Iterator[LaunchSite]:
    for node in scope.nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Subscript)):
            continue
        kernels = [
            d for d in source.find_definitions(node.func.value, scope) if source.is_kernel(d)
        ]
        if len(kernels) == 1 and isinstance(kernels[0], ast.FunctionDef):
            yield LaunchSite(kernels[0], node, scope, node.func.slice)


def constants_of(kernel: ast.FunctionDef) -> dict[str, ast.expr | None]:
    """The parameters that the compiler must know, with their defaults."""
    arguments = kernel.args
    positional = [*arguments.posonlyargs, *arguments.args]
    bare = len(positional) - len(arguments.defaults)
    pairs: list[tuple[ast.arg, ast.expr | None]] = [
        (one, arguments.defaults[number - bare] if number >= bare else None)
        for number, one in enumerate(positional)
    ]
    pairs += zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return {one.arg: default for one, default in pairs if is_constexpr(one.annotation)}


def is_constexpr(node: ast.expr | None) -> bool:
    """Whether an annotation or a callee is `tl.constexpr`, however Triton was imported."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and node.value.rpartition(".")[2] == "constexpr"
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name == "constexpr"
