"""Writes the index of facts: `python -m kernelbenchx.catalog.index`, or `make index`.

With `--check` it writes nothing and fails where the index is out of date.
"""

import ast
import contextlib
import dataclasses
import inspect
import json
import sys
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from kernelbenchx import catalog
from kernelbenchx.catalog.digests import task_digest
from kernelbenchx.catalog.facts import INDEX, ContractFacts, Facts, Parameter, ProblemFacts
from kernelbenchx.catalog.source_structure import Structure, count
from kernelbenchx.core.errors import BrokenTask
from kernelbenchx.core.scopes import Scope

if TYPE_CHECKING:
    from kernelbenchx.spec.task import Task


def describe(name: str) -> Facts:
    """Facts of `category/name`, from the loaded task."""
    task = catalog.load(name)
    signature = _signature(name, task)
    category, _, bare = name.partition("/")
    return Facts(
        name=bare,
        category=category,
        published=catalog.PUBLISHED_CATEGORIES.get(category, category),
        entry=task.entry,
        form=task.form,
        signature=signature,
        parameters=_parameters(task.signature),
        description=_description(name, task),
        dtypes=tuple(str(dtype).removeprefix("torch.") for dtype in task.dtypes),
        difficulty=task.difficulty,
        contract=_contract(task.contract),
        audit=task.audit,
        covered=_list_covering_mutants(task),
        scopes=_scopes(task),
        writes=task.writes,
        inert=task.inert,
        randomness=task.randomness,
        data_movement=task.data_movement,
        languages=task.languages,
        structure=_structure(name, task),
        digest=task_digest(name),
        problem=_problem(name, task),
    )


def _parameters(signature: inspect.Signature) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(name=one.name, kind=one.kind.name, has_default=one.default is not one.empty)
        for one in signature.parameters.values()
    )


def _problem(name: str, task: "Task") -> ProblemFacts | None:
    from kernelbenchx.spec.problem import Problem

    if not isinstance(task, Problem):
        return None
    from kernelbenchx.catalog.published_call import describe_published_call
    from kernelbenchx.catalog.weights import describe_weights

    signature = "__init__(self) -> None"
    parameters: tuple[Parameter, ...] = ()
    if (own := _constructor(task)) is not None:
        signature, parameters = _unparse_signature(name, own, "__init__"), _parameters(task.making)
    return ProblemFacts(
        level=task.level,
        number=task.number,
        unsound=task.unsound,
        precision=task.precision,
        constructor=signature,
        parameters=parameters,
        weights=describe_weights(task),
        published=describe_published_call(task),
    )


def _constructor(task: "Task") -> Any:
    """None where it is torch's own, which takes nothing."""
    from torch import nn

    own = getattr(task.reference, "__init__")  # noqa: B009 - mypy calls it unsound as an attribute
    return None if own is nn.Module.__init__ else own


def _description(name: str, task: "Task") -> str:
    """What the file says of the task, then the promises that tests keep."""
    written = inspect.getdoc(catalog.load_module(name)) or ""
    promised = " ".join(promise.text for promise in task.promises)
    return "\n\n".join(part for part in (written, promised) if part)


def _list_covering_mutants(task: "Task") -> dict[str, tuple[str, ...]]:
    return {
        code: tuple(one.name for one in task.wrong_answers if code in one.covers)
        for code in task.audit
    }


def _scopes(task: "Task") -> tuple[str, ...]:
    """Nothing is drawn: a case that leaves its scopes to its arguments adds none."""
    asked = {Scope.CORE, *([Scope.SCALE] if task.timings else [])}
    asked |= set(task.space.scopes) if task.space is not None else set()
    asked |= {scope for case in task.checks for scope in case.needs or ()}
    return tuple(scope.value for scope in Scope if scope in asked)


def _signature(name: str, task: "Task") -> str:
    if task.form == "module":
        return _unparse_signature(name, task.reference.forward, "forward")  # type: ignore[attr-defined]
    return _unparse_signature(name, task.reference, task.entry)


def _unparse_signature(name: str, function: Any, called: str) -> str:
    """As it is written: names of types that the file gives them are kept."""
    node = None
    with contextlib.suppress(SyntaxError):
        node = ast.parse(textwrap.dedent(_source(name, function))).body[0]
    if not isinstance(node, ast.FunctionDef):
        raise BrokenTask(f"{catalog.path_of(name)}: the reference is not defined by `def`")
    written = f"{called}({ast.unparse(node.args)})"
    return written + (f" -> {ast.unparse(node.returns)}" if node.returns else "")


def _structure(name: str, task: "Task") -> Structure:
    """Of the reference with what it calls in its file, or alone if a function made it."""
    defined = task.reference.__name__
    for of in (inspect.getmodule(task.reference), task.reference):
        source = textwrap.dedent(_source(name, of))
        if found := count(source, defined, len(task.signature.parameters)):
            return found
    raise BrokenTask(f"{catalog.path_of(name)}: the reference is not defined as {defined}")


def _source(name: str, of: Any) -> str:
    try:
        return inspect.getsource(of)
    except (OSError, TypeError) as error:
        raise BrokenTask(f"{catalog.path_of(name)}: no source of the reference: {error}") from error


def _contract(contract: Any) -> ContractFacts:
    options: dict[str, str] = {}
    parts: list[Any] = []
    for field in dataclasses.fields(contract):
        value = getattr(contract, field.name)
        held = value if isinstance(value, tuple) else (value,)
        if any(hasattr(one, "judge") for one in held):
            parts += held
        elif value != field.default:
            options[field.name] = _name_option(value)
    return ContractFacts(
        kind=type(contract).__name__, options=options, parts=tuple(map(_contract, parts))
    )


def _name_option(value: Any) -> str:
    """A function by its name: its address differs between processes."""
    if dataclasses.is_dataclass(value) or (callable(value) and not hasattr(value, "__name__")):
        return type(value).__name__
    return str(getattr(value, "__name__", value))


def index_text() -> str:
    """The whole index: a line for each fact, so that a change shows as what it is."""
    entries = []
    for name in catalog.names():
        known = msgspec.to_builtins(describe(name))
        lines = (f"  {json.dumps(key)}: {json.dumps(known[key])}" for key in sorted(known))
        entries.append(f" {json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n }")
    return "{\n" + ",\n".join(entries) + "\n}\n"


def _stale(text: str) -> Iterator[str]:
    made, kept = json.loads(text), {}
    with contextlib.suppress(OSError, json.JSONDecodeError):
        kept = json.loads(INDEX.read_text(encoding="utf-8"))
    return (name for name in sorted({*kept, *made}) if kept.get(name) != made.get(name))


def main(arguments: list[str]) -> None:
    """Write the index, or check it."""
    text = index_text()
    stale = ", ".join(_stale(text))
    if arguments == ["--check"]:
        raise SystemExit(f"the index is out of date, run `make index`: {stale}" if stale else 0)
    INDEX.write_text(text, encoding="utf-8")
    sys.stdout.write(f"changed: {stale or 'nothing'}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
