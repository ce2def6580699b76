"""Signatures as they are written: read from the syntax tree, and compared with the task's."""

import ast
from collections.abc import Iterator, Sequence

from kernelbenchx.checks.rule import Kind, Parameter
from kernelbenchx.core.parsing import parsed

POSITIONAL = (Kind.POSITIONAL_ONLY, Kind.POSITIONAL_OR_KEYWORD)
BY_NAME = (Kind.POSITIONAL_OR_KEYWORD, Kind.KEYWORD_ONLY)


def read_parameters(arguments: ast.arguments) -> tuple[Parameter, ...]:
    """The signature of a function, in order."""
    positional = [*((a, Kind.POSITIONAL_ONLY) for a in arguments.posonlyargs)]
    positional += [(a, Kind.POSITIONAL_OR_KEYWORD) for a in arguments.args]
    missing = len(positional) - len(arguments.defaults)
    defaults = [*[None] * missing, *arguments.defaults]
    found = [_parameter(a, k, d) for (a, k), d in zip(positional, defaults, strict=True)]
    if arguments.vararg:
        found.append(Parameter(arguments.vararg.arg, Kind.VAR_POSITIONAL))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(_parameter(argument, Kind.KEYWORD_ONLY, default))
    if arguments.kwarg:
        found.append(Parameter(arguments.kwarg.arg, Kind.VAR_KEYWORD))
    return tuple(found)


def _parameter(argument: ast.arg, kind: Kind, default: ast.expr | None) -> Parameter:
    text = "" if default is None else _short(default)
    return Parameter(argument.arg, kind, default is not None, text)


def _short(default: ast.expr) -> str:
    """Of plain values and names alone: other defaults are never compared."""
    plain = (ast.Constant, ast.UnaryOp, ast.Tuple, ast.Attribute, ast.Name)
    return ast.unparse(default) if isinstance(default, plain) else "..."


def parse_signature(text: str) -> tuple[str, tuple[Parameter, ...]]:
    """`abs(input, *, out=None)` as a name and its parameters."""
    function = parsed(f"def {text}: ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    return function.name, read_parameters(function.args)


def incompatibilities(wanted: Sequence[Parameter], given: Sequence[Parameter]) -> Iterator[str]:
    """Every documented way of calling that a signature does not allow as it is, in words."""
    by_place = [p for p in given if p.kind in POSITIONAL]
    by_name = {p.name: p for p in given if p.kind in BY_NAME}
    kinds = {p.kind for p in given}
    place = 0
    for parameter in wanted:
        found = by_name.get(parameter.name)
        if parameter.kind in (Kind.VAR_POSITIONAL, Kind.VAR_KEYWORD):
            if parameter.kind not in kinds:
                yield f"must take *{parameter.name}"
            continue
        if parameter.kind in POSITIONAL:
            at = by_place[place] if place < len(by_place) else None
            place += 1
            found = found or at
            if not _fits(parameter, at, found) and not (
                at is None and Kind.VAR_POSITIONAL in kinds
            ):
                yield f"`{parameter.name}` must be positional argument {place}"
                continue
        if parameter.kind in BY_NAME and found is None and Kind.VAR_KEYWORD not in kinds:
            yield f"cannot be given `{parameter.name}` by name"
        if parameter.has_default and found is not None and not found.has_default:
            yield f"`{parameter.name}` must have a default"
    yield from _demands(wanted, given)


def _fits(parameter: Parameter, at: Parameter | None, found: Parameter | None) -> bool:
    if at is None:
        return False
    if parameter.kind is Kind.POSITIONAL_ONLY:
        return True
    return at is found and at.name == parameter.name and at.kind is Kind.POSITIONAL_OR_KEYWORD


def _demands(wanted: Sequence[Parameter], given: Sequence[Parameter]) -> Iterator[str]:
    """Required parameters that no call of the task gives."""
    places = sum(p.kind in POSITIONAL for p in wanted)
    names = {p.name for p in wanted}
    variable = (Kind.VAR_POSITIONAL, Kind.VAR_KEYWORD)
    for index, parameter in enumerate(given):
        if parameter.has_default or parameter.kind in variable or parameter.name in names:
            continue
        if parameter.kind is Kind.POSITIONAL_ONLY and index < places:
            continue
        if index < places and parameter.kind is Kind.POSITIONAL_OR_KEYWORD:
            continue
        yield f"requires `{parameter.name}`, which the task does not have"
