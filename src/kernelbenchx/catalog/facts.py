"""Facts of a task read from its syntax tree: no import, so no torch and no waiting."""

import ast
import hashlib
from functools import cache
from typing import Any

import msgspec

from kernelbenchx import catalog
from kernelbenchx.core.errors import BrokenTask
from kernelbenchx.core.parsing import parsed
from kernelbenchx.core.record import Record


class Parameter(Record, frozen=True, kw_only=True):
    """One parameter of the entry."""

    name: str
    kind: str
    """As `inspect` spells it: `POSITIONAL_OR_KEYWORD`, `VAR_POSITIONAL`, `KEYWORD_ONLY`, …"""
    has_default: bool


class ContractFacts(Record, frozen=True, kw_only=True):
    """A contract as it is written: its kind, literal options, and the parts it is made of."""

    kind: str
    options: dict[str, str] = msgspec.field(default_factory=dict)
    parts: tuple["ContractFacts", ...] = ()


class Facts(Record, frozen=True, kw_only=True):
    """What can be said of a task without loading it."""

    name: str
    category: str
    published: str
    """The published spelling of the category."""
    entry: str
    form: str
    signature: str
    parameters: tuple[Parameter, ...]
    description: str
    dtypes: tuple[str, ...]
    difficulty: int
    contract: ContractFacts
    audit: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    inert: tuple[str, ...] = ()
    randomness: str = "none"
    data_movement: bool = False
    languages: tuple[str, ...] = ("triton",)
    digest: str
    """Of the file, and of the file it is a variant of."""


@cache
def facts(name: str) -> Facts:
    """Facts of `category/name`; a file that does not keep to the form is an error."""
    path = catalog.path_of(name)
    try:
        text = path.read_text(encoding="utf-8")
        module = parsed(text)
    except (OSError, SyntaxError) as error:
        raise BrokenTask(f"{path}: {error}") from error
    return _Reader(name, text, module).read()


class _Reader:
    def __init__(self, name: str, text: str, module: ast.Module) -> None:
        self.name, self.text, self.module = name, text, module
        self.constants = {
            target.id: node.value
            for node in module.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }

    def read(self) -> Facts:
        category, _, bare = self.name.partition("/")
        made = self.constants.get("TASK")
        if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Name):
            raise self._broken("TASK is not made by Task(...) or replace(...)")
        given = {word.arg: word.value for word in made.keywords if word.arg}
        inherited = self._inherited(made)
        digest = hashlib.sha256(self.text.encode() + inherited.pop("digest", "").encode())
        described: dict[str, Any] = {**inherited, **self._literals(given)}
        if "reference" in given:
            described.update(self._entry(given["reference"]))
        if "contract" in given:
            described["contract"] = self._contract(given["contract"])
        try:
            return Facts(
                **described,
                name=bare,
                category=category,
                published=catalog.PUBLISHED_CATEGORIES.get(category, category),
                description=ast.get_docstring(self.module) or "",
                digest=digest.hexdigest(),
            )
        except TypeError as error:
            raise self._broken(f"facts are missing: {error}") from error

    def _inherited(self, made: ast.Call) -> dict[str, Any]:
        """For `replace(other.TASK, ...)`: the other file's facts."""
        if not isinstance(made.func, ast.Name) or made.func.id != "replace":
            return {}
        base = made.args[0]
        if not (isinstance(base, ast.Attribute) and isinstance(base.value, ast.Name)):
            raise self._broken("replace(...) does not name another file's TASK")
        other = self._imported(base.value.id)
        known = facts(other)
        dropped = ("name", "category", "published", "description")
        return {f: getattr(known, f) for f in known.__struct_fields__ if f not in dropped}

    def _imported(self, alias: str) -> str:
        for node in self.module.body:
            if isinstance(node, ast.ImportFrom) and node.module:
                for one in node.names:
                    if (one.asname or one.name) == alias:
                        category = node.module.removeprefix("kernelbenchx.tasks.")
                        return f"{category}/{one.name}"
        raise self._broken(f"{alias} is not imported from another task's folder")

    def _literals(self, given: dict[str, ast.expr]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        literal = ("audit", "writes", "inert", "languages", "randomness", "data_movement")
        for field in (*literal, "difficulty"):
            if field in given:
                found[field] = self._value(given[field])
        if "dtypes" in given:
            dtypes = self._value(given["dtypes"])
            found["dtypes"] = tuple(str(dtype).removeprefix("torch.") for dtype in dtypes)
        return found

    def _value(self, node: ast.expr) -> Any:
        """A literal, a name of a constant of this file, or a dotted name as its text."""
        if isinstance(node, ast.Tuple):
            return tuple(self._value(item) for item in node.elts)
        if isinstance(node, ast.Name) and node.id in self.constants:
            return self._value(self.constants[node.id])
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self._value(node.left) + self._value(node.right)
        if isinstance(node, ast.Attribute):
            return ast.unparse(node)
        try:
            return ast.literal_eval(node)
        except ValueError as error:
            raise self._broken(f"line {node.lineno}: not a literal") from error

    def _entry(self, reference: ast.expr) -> dict[str, Any]:
        entry = ast.unparse(reference)
        for node in self.module.body:
            if isinstance(node, ast.FunctionDef) and node.name == entry:
                return self._signature(entry, "function", node, skip=0)
            if isinstance(node, ast.ClassDef) and node.name == entry:
                forward = [
                    one
                    for one in node.body
                    if isinstance(one, ast.FunctionDef) and one.name == "forward"
                ]
                if forward:
                    return self._signature(entry, "module", forward[0], skip=1)
        raise self._broken(f"the reference {entry} is not defined in the file")

    def _signature(self, entry: str, form: str, node: ast.FunctionDef, skip: int) -> dict[str, Any]:
        written = f"{entry if form == 'function' else 'forward'}({ast.unparse(node.args)})"
        returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        return {
            "entry": entry,
            "form": form,
            "signature": written + returns,
            "parameters": tuple(_parameters(node.args))[skip:],
        }

    def _contract(self, node: ast.expr) -> ContractFacts:
        if isinstance(node, ast.Name) and node.id in self.constants:
            return self._contract(self.constants[node.id])
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            raise self._broken("the contract is not a direct constructor call")
        parts = [one for one in node.args if isinstance(one, ast.Call)]
        options: dict[str, str] = {}
        for word in node.keywords:
            if isinstance(word.value, ast.Call) and word.arg == "close":
                parts.append(word.value)
            elif word.arg:
                options[word.arg] = ast.unparse(word.value)
        for position, one in enumerate(node.args):
            if not isinstance(one, ast.Call):
                options[str(position)] = ast.unparse(one)
        return ContractFacts(
            kind=node.func.id, options=options, parts=tuple(self._contract(p) for p in parts)
        )

    def _broken(self, why: str) -> BrokenTask:
        return BrokenTask(f"{catalog.path_of(self.name)}: {why}")


def _parameters(arguments: ast.arguments) -> list[Parameter]:
    positional = [*arguments.posonlyargs, *arguments.args]
    bare = len(positional) - len(arguments.defaults)
    found = [
        Parameter(
            name=one.arg,
            kind="POSITIONAL_ONLY" if one in arguments.posonlyargs else "POSITIONAL_OR_KEYWORD",
            has_default=number >= bare,
        )
        for number, one in enumerate(positional)
    ]
    if arguments.vararg:
        found.append(Parameter(name=arguments.vararg.arg, kind="VAR_POSITIONAL", has_default=False))
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(Parameter(name=one.arg, kind="KEYWORD_ONLY", has_default=default is not None))
    if arguments.kwarg:
        found.append(Parameter(name=arguments.kwarg.arg, kind="VAR_KEYWORD", has_default=False))
    return found
