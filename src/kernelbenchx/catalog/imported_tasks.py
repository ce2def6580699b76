"""Tasks made from published problem files: their facts and their signatures; nothing is run."""

import ast
import inspect
from typing import TYPE_CHECKING

from kernelbenchx.catalog.audit_cache import CachedAudit, load_audit
from kernelbenchx.catalog.facts import ContractFacts, Facts, Parameter, ProblemFacts, WeightFacts
from kernelbenchx.catalog.problem_folders import PublishedProblem
from kernelbenchx.catalog.source_structure import count
from kernelbenchx.core.errors import BrokenTask

if TYPE_CHECKING:
    from kernelbenchx.spec.imported_problem import ImportedProblem

_KINDS = inspect.Parameter


def load_imported(found: PublishedProblem) -> "ImportedProblem":
    """The task; its module has the signatures of the published one and computes nothing."""
    from kernelbenchx.spec.imported_problem import imported_problem

    model = type("Model", (), {"forward": _callable(found.forward)})
    setattr(model, "__signature__", inspect.Signature(_without_self(found.init)))  # noqa: B010
    return imported_problem(model, found.text, found.level, found.number)


def imported_facts(found: PublishedProblem, digest: str) -> Facts:
    """As far as its text and its last audit say."""
    audit = load_audit(found.text)
    parameters = _parameters(_without_self(found.forward))
    structure = count(found.text, "Model", len(parameters))
    if structure is None:
        raise BrokenTask(f"{found.path}: no Model")
    category, _, bare = found.name.partition("/")
    return Facts(
        name=bare,
        category=category,
        published=category,
        entry="ModelNew",
        form="module",
        signature=found.signature,
        parameters=parameters,
        description=found.description,
        dtypes=("float32",),
        difficulty=0,
        contract=ContractFacts(kind="Close", options={"scale": "Intermediates", "factor": "16.0"}),
        scopes=("core",),
        structure=structure,
        digest=digest,
        problem=ProblemFacts(
            level=found.level,
            number=found.number,
            unsound=audit.unsound if audit is not None else "",
            precision="fp32",
            constructor=found.constructor,
            parameters=_parameters(_without_self(found.init)),
            weights=_weights(audit),
        ),
    )


def _weights(audit: CachedAudit | None) -> tuple[WeightFacts, ...]:
    weights = audit.weights if audit is not None else {}
    return tuple(
        WeightFacts(name=name, shape=f"{tuple(shape)} at the reduced sizes")
        for name, shape in weights.items()
    )


def _parameters(signature: list[inspect.Parameter]) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(name=one.name, kind=one.kind.name, has_default=one.default is not one.empty)
        for one in signature
    )


def _callable(function: ast.FunctionDef) -> object:
    def forward(*_: object) -> None:
        raise NotImplementedError("the module of a published problem runs in its sandbox alone")

    own = [_KINDS("self", _KINDS.POSITIONAL_OR_KEYWORD), *_without_self(function)]
    setattr(forward, "__signature__", inspect.Signature(own))  # noqa: B010
    return forward


def _without_self(function: ast.FunctionDef | None) -> list[inspect.Parameter]:
    """Names, kinds and whether there is a default; defaults themselves are not evaluated."""
    if function is None:
        return []
    given = function.args
    placed = [*given.posonlyargs, *given.args]
    bare = len(placed) - len(given.defaults)
    found = [
        _KINDS(
            one.arg,
            _KINDS.POSITIONAL_ONLY if at < len(given.posonlyargs) else _KINDS.POSITIONAL_OR_KEYWORD,
            default=_KINDS.empty if at < bare else None,
        )
        for at, one in enumerate(placed)
    ][1:]
    if given.vararg is not None:
        found.append(_KINDS(given.vararg.arg, _KINDS.VAR_POSITIONAL))
    for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        value = _KINDS.empty if default is None else None
        found.append(_KINDS(one.arg, _KINDS.KEYWORD_ONLY, default=value))
    if given.kwarg is not None:
        found.append(_KINDS(given.kwarg.arg, _KINDS.VAR_KEYWORD))
    return found
