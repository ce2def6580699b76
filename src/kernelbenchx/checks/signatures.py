"""Signatures as they are written: read from the syntax tree, and compared with the task's."""

import ast
from collections.abc import Iterator, Sequence

from kernelbenchx.checks.rule import ParameterKind, SignatureParameter
from kernelbenchx.core.parsing import parse_python

POSITIONAL = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)
BY_NAME = (ParameterKind.POSITIONAL_OR_KEYWORD, ParameterKind.KEYWORD_ONLY)


def read_parameters(arguments: ast.arguments) -> tuple[SignatureParameter, ...]:
    """The signature of a function, in order."""
    positional = [*((a, ParameterKind.POSITIONAL_ONLY) for a in arguments.posonlyargs)]
    positional += [(a, ParameterKind.POSITIONAL_OR_KEYWORD) for a in arguments.args]
    missing = len(positional) - len(arguments.defaults)
    defaults = [*[None] * missing, *arguments.defaults]
    found = [_parameter(a, k, d) for (a, k), d in zip(positional, defaults, strict=True)]
    if arguments.vararg:
        found.append(SignatureParameter(arguments.vararg.arg, ParameterKind.VAR_POSITIONAL))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(_parameter(argument, ParameterKind.KEYWORD_ONLY, default))
    if arguments.kwarg:
        found.append(SignatureParameter(arguments.kwarg.arg, ParameterKind.VAR_KEYWORD))
    return tuple(found)


def _parameter(
    argument: ast.arg, kind: ParameterKind, default: ast.expr | None
) -> SignatureParameter:
    text = "" if default is None else _short(default)
    return SignatureParameter(argument.arg, kind, default is not None, text)


def _short(default: ast.expr) -> str:
    """Of plain values and names alone: other defaults are never compared."""
    plain = (ast.Constant, ast.UnaryOp, ast.Tuple, ast.Attribute, ast.Name)
    return ast.unparse(default) if isinstance(default, plain) else "..."


def parse_signature(text: str) -> tuple[str, tuple[SignatureParameter, ...]]:
    """`abs(input, *, out=None)` as a name and its parameters."""
    function = parse_python(f"def {text}: ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    return function.name, read_parameters(function.args)


def incompatibilities(
    wanted: Sequence[SignatureParameter], given: Sequence[SignatureParameter]
) -> Iterator[str]:
    """Every documented way of calling that a signature does not allow as it is, in words."""
    by_place = [p for p in given if p.kind in POSITIONAL]
    by_name = {p.name: p for p in given if p.kind in BY_NAME}
    kinds = {p.kind for p in given}
    place = 0
    for parameter in wanted:
        found = by_name.get(parameter.name)
        if parameter.kind in (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD):
            if parameter.kind not in kinds:
                yield f"must take *{parameter.name}"
            continue
        if parameter.kind in POSITIONAL:
            at = by_place[place] if place < len(by_place) else None
            place += 1
            found = found or at
            if not _fits(parameter, at, found) and not (
                at is None and ParameterKind.VAR_POSITIONAL in kinds
            ):
                yield f"`{parameter.name}` must be positional argument {place}"
                continue
        if parameter.kind in BY_NAME and found is None and ParameterKind.VAR_KEYWORD not in kinds:
            yield f"cannot be given `{parameter.name}` by name"
        if parameter.has_default and found is not None and not found.has_default:
            yield f"`{parameter.name}` must have a default"
    yield from _demands(wanted, given)


def _fits(
    parameter: SignatureParameter, at: SignatureParameter | None, found: SignatureParameter | None
) -> bool:
    if at is None:
        return False
    if parameter.kind is ParameterKind.POSITIONAL_ONLY:
        return True
    return (
        at is found and at.name == parameter.name and at.kind is ParameterKind.POSITIONAL_OR_KEYWORD
    )


def _demands(
    wanted: Sequence[SignatureParameter], given: Sequence[SignatureParameter]
) -> Iterator[str]:
    """Required parameters that no call of the task gives."""
    places = sum(p.kind in POSITIONAL for p in wanted)
    names = {p.name for p in wanted}
    variable = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
    for index, parameter in enumerate(given):
        if parameter.has_default or parameter.kind in variable or parameter.name in names:
            continue
        if parameter.kind is ParameterKind.POSITIONAL_ONLY and index < places:
            continue
        if index < places and parameter.kind is ParameterKind.POSITIONAL_OR_KEYWORD:
            continue
        yield f"requires `{parameter.name}`, which the task does not have"
